// The Debian package: the release folder in /usr/lib/zonereeve, a systemd unit, a configuration file, and the scripts
// that dpkg runs. Its sources are in deploy/.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { run } from '../process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const deploy = join(root, 'deploy')

export type Compression = 'xz' | 'gzip' | 'none'

export interface DebianPackage {
  readonly version: string
  /** The release folder. */
  readonly folder: string
  /** File to write. */
  readonly target: string
  readonly compression: Compression
}

/** Debian's names of the architectures that Node names differently. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'] as const

/** In the package, with its source below deploy/ and its mode. */
const FILES: readonly (readonly [path: string, source: string, mode: number])[] = [
  ['usr/bin/zonereeve', 'debian/zonereeve', 0o755],
  ['usr/lib/systemd/system/zonereeve.service', 'systemd/zonereeve.service', 0o644],
  ['etc/zonereeve/zonereeve.json', 'zonereeve.json', 0o644],
  ['usr/share/doc/zonereeve/copyright', 'debian/copyright', 0o644],
]

const SHELL_FILES: readonly (readonly [path: string, args: readonly string[]])[] = [
  ['usr/share/bash-completion/completions/zonereeve', ['completion', 'bash']],
  ['usr/share/zsh/vendor-completions/_zonereeve', ['completion', 'zsh']],
  ['usr/share/fish/vendor_completions.d/zonereeve.fish', ['completion', 'fish']],
  ['usr/share/man/man1/zonereeve.1.gz', ['manual']],
]

export function debianArchitecture(): string {
  const found = ARCHITECTURES[process.arch]
  if (found === undefined) throw new Error(`no Debian package for ${process.arch}`)
  return found
}

/** @throws Error with the output of dpkg-deb if it fails. */
export async function writeDebianPackage(described: DebianPackage): Promise<void> {
  const tree = `${described.target}.tree`
  rmSync(tree, { recursive: true, force: true })
  try {
    fillTree(tree, described)
    await writeShellFiles(tree, described.folder)
    allowReading(tree)
    writeControl(tree, described.version)
    const args = [`-Z${described.compression}`, '--root-owner-group', '--build', tree, described.target]
    const { ok, output } = await run('dpkg-deb', args)
    if (!ok) throw new Error(`dpkg-deb failed\n${output}`)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function fillTree(tree: string, { folder }: DebianPackage): void {
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
  cpSync(folder, join(tree, 'usr/lib/zonereeve'), { recursive: true })
  for (const [path, source, mode] of FILES) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    cpSync(join(deploy, source), join(tree, path))
    chmodSync(join(tree, path), mode)
  }
  cpSync(join(root, 'docs'), join(tree, 'usr/share/doc/zonereeve/docs'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.md'),
  })
  for (const script of MAINTAINER_SCRIPTS) {
    cpSync(join(deploy, 'debian', script), join(tree, 'DEBIAN', script))
    chmodSync(join(tree, 'DEBIAN', script), 0o755)
  }
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/zonereeve/zonereeve.json\n')
}

/** What shells and man(1) read; the program prints it. @throws Error with its output if it fails. */
async function writeShellFiles(tree: string, folder: string): Promise<void> {
  for (const [path, args] of SHELL_FILES) {
    const { ok, output } = await run(join(folder, 'bin/zonereeve'), args)
    if (!ok) throw new Error(`zonereeve ${args.join(' ')} failed\n${output}`)
    const target = join(tree, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, path.endsWith('.gz') ? gzipSync(output, { level: 9 }) : output)
  }
}

function writeControl(tree: string, version: string): void {
  const control = readFileSync(join(deploy, 'debian/control'), 'utf8')
  const filled = control
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', debianArchitecture())
    .replace('@SIZE@', String(Math.ceil(sizeOf(tree) / 1024)))
  writeFileSync(join(tree, 'DEBIAN/control'), filled)
}

/** Whatever the umask of the checkout was. */
function allowReading(path: string): void {
  const { mode } = statSync(path)
  const isExecutable = (mode & 0o100) !== 0
  chmodSync(path, isExecutable ? 0o755 : 0o644)
  if (!statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) allowReading(join(path, name))
}

function sizeOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
