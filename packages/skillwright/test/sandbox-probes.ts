// Scripts that try to get out of the sandbox or to use it up. Each prints what came of it, or runs into a limit.

import { skillText } from './make-world.ts';

/** Prints the names of the errors that `attempts` end in, or LEAK and what came back. */
const attempt = `
import sys
def attempt(work):
    try:
        print('LEAK', repr(work())[:200])
    except BaseException as error:
        print(type(error).__name__, getattr(error, 'errno', None) or '')
`;

const python = (body: string) => `"""A probe."""${attempt}${body}`;

/** The scripts by name. Arguments say what on this machine they go for. */
const probeScripts: Readonly<Record<string, string>> = {
  'read.py': python(`
for path in sys.argv[1:]:
    attempt(lambda: open(path, 'rb').read())
`),
  'list.py': python(`
import os
for path in sys.argv[1:]:
    attempt(lambda: sorted(os.listdir(path)))
`),
  'write.py': python(`
for path in sys.argv[1:]:
    attempt(lambda: open(path, 'w').write('overwritten'))
`),
  'write-through-link.py': python(`
import os
os.symlink(sys.argv[1], '/tmp/link')
attempt(lambda: open('/tmp/link', 'w').write('overwritten'))
os.symlink(os.path.dirname(sys.argv[1]), '/tmp/directory')
attempt(lambda: open('/tmp/directory/new', 'w').write('new'))
`),
  'connect-tcp.py': python(`
import socket
for host, port in [('127.0.0.1', int(sys.argv[1])), ('192.0.2.1', 80), ('::1', int(sys.argv[1]))]:
    attempt(lambda: socket.create_connection((host, port), timeout=5))
`),
  'connect-udp.py': python(`
import socket
def talk(address):
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.settimeout(5)
    end.connect(address)
    end.send(b'hello')
    return end.recv(10)
attempt(lambda: talk(('127.0.0.1', int(sys.argv[1]))))
attempt(lambda: talk(('192.0.2.1', 53)))
`),
  'connect-unix.py': python(`
import socket
for address in [sys.argv[1], '\\0' + sys.argv[2], '/var/run/docker.sock', '/run/dbus/system_bus_socket']:
    attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect(address))
`),
  'other-sockets.py': python(`
import socket
attempt(lambda: socket.socket(40, socket.SOCK_STREAM))
attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
`),
  'resolve.py': python(`
import socket
attempt(lambda: socket.getaddrinfo('example.com', 443))
attempt(lambda: open('/etc/resolv.conf').read())
`),
  'listen.py': python(`
import socket
server = socket.create_server((sys.argv[1], int(sys.argv[2])))
server.settimeout(1)
print('listening', flush=True)
attempt(lambda: server.accept())
`),
  'processes.py': python(`
import os
print(sorted(int(name) for name in os.listdir('/proc') if name.isdigit()) == [1, os.getpid()])
for pid in sys.argv[1:]:
    attempt(lambda: os.kill(int(pid), 0))
    attempt(lambda: os.kill(int(pid), 9))
`),
  'environment.py': python(`
import os, glob
seen = ' '.join(os.environ.values())
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):
    try:
        seen += open(path).read()
    except OSError:
        pass
# Backwards, so that the argument itself is not what is found.
print('LEAK' if sys.argv[1][::-1] in seen else 'clean')
print(sorted(os.environ))
`),
  'kernel.py': python(`
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    if libc.syscall(number, *arguments) == -1:
        raise OSError(ctypes.get_errno(), '')
    return 'done'
if os.uname().machine == 'x86_64':
    calls = [(165, b'none', b'/tmp', b'tmpfs', 0, 0), (272, 0x10000000), (101, 0, 0, 0, 0), (250, 0, -3, 0), (319, b'x', 0), (425, 1, 0)]
else:
    calls = [(40, b'none', b'/tmp', b'tmpfs', 0, 0), (97, 0x10000000), (117, 0, 0, 0, 0), (219, 0, -3, 0), (279, b'x', 0), (425, 1, 0)]
for wanted in calls:
    attempt(lambda: call(*wanted))
# Opened and closed, never written: where the sandbox fails the machine must not suffer.
writable = []
for top in ['/proc', '/sys', '/dev']:
    for place, directories, files in os.walk(top):
        for name in files:
            path = os.path.join(place, name)
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
                writable.append(os.path.realpath(path))
            except OSError:
                pass
print(sorted(set(writable)))
print(os.getuid() != 0, [line for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapBnd', 'NoNewPrivs'))])
`),
  'owner-rights.py': python(`
import os
def make(mode):
    os.close(os.open('/tmp/%o' % mode, os.O_CREAT | os.O_WRONLY, mode))
    return oct(os.stat('/tmp/%o' % mode).st_mode)
open('/tmp/file', 'w').close()
os.chmod('/tmp/file', 0o755)
print(make(0o700))
attempt(lambda: os.chmod('/tmp/file', 0o4755))
attempt(lambda: os.chmod('/tmp/file', 0o2755))
attempt(lambda: os.fchmod(os.open('/tmp/file', os.O_RDONLY), 0o6755))
attempt(lambda: make(0o4755))
attempt(lambda: os.mknod('/tmp/node', 0o104755))
attempt(lambda: os.open('/tmp', os.O_TMPFILE | os.O_WRONLY, 0o4755))
`),
  'unnamed-sockets.py': python(`
import socket
attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
one, other = socket.socketpair()
one.send(b'x')
print(other.recv(1), socket.socket(socket.AF_INET, socket.SOCK_STREAM).family == socket.AF_INET)
`),
  'new-calls.py': python(`
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in (467, 469, 500, 0x40000000 | 428):
    libc.syscall(ctypes.c_long(number), -1, 0, 0, 0, 0)
    print(ctypes.get_errno())
`),
  'descriptors.py': python(`
import os
open_files = []
for number in os.listdir('/proc/self/fd'):
    try:
        target = os.readlink('/proc/self/fd/' + number)
    except OSError:
        continue
    if int(number) > 2 and target != '/dev/null':
        open_files.append((number, target))
print(open_files)
`),
  'memory.py': python(`
attempt(lambda: bytearray(4 * 2 ** 30))
`),
  'memory-by-pieces.py': python(`
kept = []
while True:
    kept.append(bytearray(16 * 2 ** 20))
`),
  // Touched and let go: the pages would stay, and no process would have them.
  'memory-shared.py': python(`
import mmap, os
def hide(descriptor):
    kept = []
    for _ in range(16):
        area = mmap.mmap(descriptor, 32 * 2 ** 20)
        for place in range(0, len(area), 4096):
            area[place] = 1
        area.madvise(mmap.MADV_DONTNEED)
        kept.append(area)
    return 'hidden'
attempt(lambda: hide(-1))
attempt(lambda: hide(os.open('/dev/zero', os.O_RDWR)))
print(open('/dev/zero', 'rb').read(4))
`),
  'memory-of-a-thread.py': python(`
import os, threading, time
def hide():
    if os.fork() == 0:
        kept = [bytearray(16 * 2 ** 20) for _ in range(24)]
        time.sleep(20)
        os._exit(0)
    time.sleep(20)
threading.Thread(target=hide).start()
`),
  // Reading where nothing was written takes no page, but a table of pages every 2 MiB.
  'memory-of-tables.py': python(`
import mmap
MAP_NORESERVE = 0x4000
area = mmap.mmap(-1, 2 ** 38, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE, prot=mmap.PROT_READ)
area.madvise(mmap.MADV_NOHUGEPAGE)
while True:
    for place in range(0, len(area), 2 ** 21):
        area[place]
`),
  'memory-of-sockets.py': python(`
import os, socket, time
for _ in range(8):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(500)]
        time.sleep(20)
        os._exit(0)
time.sleep(20)
`),
  // Full pipes: their pages belong to no process.
  'memory-of-pipes.py': python(`
import os, time
for _ in range(40):
    if os.fork() == 0:
        kept = []
        try:
            while True:
                ends = os.pipe()
                kept.append(ends)
                os.set_blocking(ends[1], False)
                os.write(ends[1], bytes(65536))
        except OSError:
            time.sleep(20)
        os._exit(0)
time.sleep(20)
`),
  // Moved there instead of copied, they would need no memory of the process at any time.
  'moved-pages.py': python(`
import ctypes, fcntl, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
class Vector(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), '')
    return result
def move():
    held = 0
    while held < 600 * 2 ** 20:
        read, write = os.pipe()
        area = mmap.mmap(-1, 65536, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        area.write(bytes([1]) * 65536)
        place = ctypes.c_char.from_buffer(area)
        held += check(libc.vmsplice(write, ctypes.byref(Vector(ctypes.addressof(place), 65536)), 1, 2))
    return held
one, other = os.pipe(), os.pipe()
source = os.open('SKILL.md', os.O_RDONLY)
attempt(move)
attempt(lambda: check(libc.tee(one[0], other[1], 10, 2)))
attempt(lambda: check(libc.splice(source, None, one[1], None, 10, 2)))
attempt(lambda: os.sendfile(one[1], source, 0, 10))
attempt(lambda: fcntl.fcntl(one[1], 1031, 2 ** 20))
# cp falls back to reading and writing.
import shutil
print(os.path.getsize(shutil.copyfile('SKILL.md', '/tmp/copy')) == os.path.getsize('SKILL.md'))
`),
  // Two parts of a mapping with different rights are two objects of the kernel, and take no page.
  'memory-of-maps.py': python(`
import ctypes, os, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
time.sleep(1)
for _ in range(40):
    if os.fork() == 0:
        base = libc.mmap(None, 65000 * 4096, 0, 0x22, -1, 0)
        for page in range(0, 65000, 2):
            libc.mprotect(base + page * 4096, 4096, 1)
        time.sleep(30)
        os._exit(0)
time.sleep(30)
`),
  'memory-of-names.py': python(`
import os
count = 0
while True:
    os.mkdir('/tmp/%d' % count)
    count += 1
`),
  'memory-of-many.py': python(`
import os, time
for _ in range(20):
    if os.fork() == 0:
        kept = bytearray(32 * 2 ** 20)
        time.sleep(20)
        os._exit(0)
time.sleep(20)
`),
  'memory-shared-by-many.py': python(`
import os, time
kept = bytes(64 * 2 ** 20)
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        time.sleep(0.5)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print('done')
`),
  'memory-in-files.py': python(`
attempt(lambda: open('/dev/shm/big', 'wb').write(bytes(80 * 2 ** 20)))
count = 0
try:
    while count < 100:
        with open('/tmp/big%d' % count, 'wb') as file:
            file.write(bytes(16 * 2 ** 20))
        count += 1
except OSError as error:
    print('full', error.errno, count < 20)
`),
  // 2,048 processes at most, whatever happens.
  'fork-bomb.py': python(`
import os, time
for _ in range(11):
    os.fork()
time.sleep(20)
`),
  'fork-until-refused.py': python(`
import os, signal, time
first = os.getpid()
try:
    for _ in range(11):
        os.fork()
except BlockingIOError as error:
    sys.stderr.write(f'BlockingIOError: {error}\\n')
    sys.stderr.flush()
    os.kill(first, signal.SIGKILL)
time.sleep(20)
`),
  'thread-bomb.py': python(`
import threading, time
for _ in range(2000):
    threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
time.sleep(20)
`),
  'flood.py': python(`
stream = getattr(sys, sys.argv[1])
while True:
    stream.write('x' * 4096)
`),
  'flood-both.py': python(`
while True:
    sys.stdout.write('o' * 1000)
    sys.stderr.write('e' * 1000)
`),
  'ignore-term.py': python(`
import signal, time
for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
    signal.signal(number, signal.SIG_IGN)
print('started')
while True:
    time.sleep(1)
`),
  'daemon.py': python(`
import os, subprocess
subprocess.Popen(['sleep', sys.argv[1]], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp('sleep', ['sleep', sys.argv[1]])
    os._exit(0)
print('left')
`),
  'arguments.py': python(`
import json
print(json.dumps(sys.argv[1:]))
`),
};

/** The probes as the files of a skill. */
export const probeSkill: Readonly<Record<string, string>> = {
  'SKILL.md': skillText('probe').replace('\n---\n', '\nmetadata:\n  sandbox: network\n---\n'),
  ...Object.fromEntries(Object.entries(probeScripts).map(([name, text]) => [`scripts/${name}`, text])),
};
