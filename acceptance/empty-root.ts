// A small root file system for tests of packages: the few programs that Debian's essential packages bring, with their
// libraries, and dpkg's database of exactly these packages. Nothing else: no Node, no npm.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { searchPath } from '../scripts/process.ts'

/** What maintainer scripts, dpkg and the test's own commands use. */
const PROGRAMS = (
  'sh cat chmod chown ls mkdir readlink rm stat id touch ' +
  'dpkg dpkg-deb dpkg-query dpkg-split tar gzip xz ldconfig start-stop-daemon ' +
  'getent useradd userdel setpriv runuser env diff'
).split(' ')
const DEVICES = ['null', 'zero', 'random', 'urandom']
const PAM_RULES =
  'auth sufficient pam_rootok.so\naccount required pam_permit.so\nsession required pam_permit.so\n'
/** Everything that the package may depend on; dpkg checks it against this list. */
const INSTALLED = ['libc6', 'libgcc-s1', 'libstdc++6', 'passwd']
const LIBRARIES = [
  'libstdc++.so.6',
  'libgcc_s.so.1',
  'libdl.so.2',
  'libpthread.so.0',
  'libm.so.6',
  'libc.so.6',
]
const FOLDERS = [
  'dev',
  'etc',
  'proc',
  'run',
  'sbin',
  'tmp',
  'usr/bin',
  'usr/sbin',
  'usr/share',
  'var/lib/dpkg/info',
]

/** Fills the empty folder `root`. Its /proc has to be mounted by the caller. */
export function fillRoot(root: string): void {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['bin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', folder), { recursive: true })
    symlinkSync(`usr/${folder}`, join(root, folder))
  }
  mkdirSync(join(root, 'var/lib/dpkg/updates'))
  const files = PROGRAMS.map(pathOf)
  const libraries = execFileSync('ldd', files, { encoding: 'utf8' }).matchAll(/(\/\S+\.so\S*) \(0x/g)
  for (const path of [...files, ...[...libraries].map(([, path = '']) => path), ...systemLibraries()])
    copyInto(root, path)
  writeFileSync(join(root, 'var/lib/dpkg/status'), statusOf(INSTALLED))
  for (const name of INSTALLED) writeFileSync(join(root, `var/lib/dpkg/info/${name}.list`), '')
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n')
  writeFileSync(join(root, 'etc/shadow'), 'root:*:19000:0:99999:7:::\n')
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files\n')
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  for (const name of DEVICES) execFileSync('cp', ['-a', `/dev/${name}`, join(root, 'dev', name)])
  // runuser(1) needs PAM, here without limits and sessions.
  mkdirSync(join(root, 'etc/pam.d'))
  writeFileSync(join(root, 'etc/pam.d/runuser'), PAM_RULES)
  const modules = readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, 'security'))
    .find((path) => existsSync(path))
  for (const name of ['pam_rootok.so', 'pam_permit.so']) copyInto(root, join(modules ?? '', name))
}

function pathOf(program: string): string {
  const found = searchPath
    .split(':')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error(`${program} is not installed`)
  return found
}

/** Node's own, whose packages are listed as installed. */
function systemLibraries(): string[] {
  const cached = execFileSync(pathOf('ldconfig'), ['-p'], { encoding: 'utf8' })
  return LIBRARIES.flatMap((name) => {
    const line = cached.split('\n').find((text) => text.trimStart().startsWith(`${name} (`))
    return line === undefined ? [] : [line.slice(line.indexOf('=> ') + 3)]
  })
}

function copyInto(root: string, path: string): void {
  // /lib and /bin are links to the folders in /usr, here and there.
  const target = join(root, /^\/(bin|lib|lib64)\//.test(path) ? `/usr${path}` : path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(realpathSync(path), target)
}

/** The paragraphs of this machine's dpkg about these packages, without their dependencies. */
function statusOf(names: readonly string[]): string {
  const paragraphs = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n')
  const found = names.map((name) => paragraphs.find((text) => text.startsWith(`Package: ${name}\n`)))
  return found
    .map((text) => `${text?.replaceAll(/^(Pre-Depends|Depends|Conffiles):.*\n( .*\n)*/gm, '') ?? ''}\n\n`)
    .join('')
}
