@echo off
rem Starts skc on Windows, where a shell script cannot be started.
node "%~dp0skillwright.js" %*
