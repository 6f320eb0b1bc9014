// Building blocks of web pages: escaped HTML, layout, tables, charts.

export {};
