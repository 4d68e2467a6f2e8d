// The release folder: the program, the npm packages that it needs in the locked versions, and Node. It runs on a machine
// without Node.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../process.ts'
import { thirdPartiesAt, type ThirdParty } from './third-parties.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const server = join(root, 'packages/server')

/** What the published package has, see `files` in its package.json. */
const PROGRAM = ['bin', 'dist', 'package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']

/** Sources of native parts, and native parts for other systems. */
const UNUSED_FOLDERS: Readonly<Record<string, RegExp>> = {
  '@photostructure/sqlite': /^(src|scripts)\/|^prebuilds\/(?!PLATFORM(\/|$))[^/]|\.musl\.node$/,
  koffi: /^(src|vendor|doc)\//,
  typebox: /\.d\.m?ts$/,
}
/** Needed only by compilers and debuggers. */
const UNUSED_FILES = /\.(d\.[cm]?ts|map|ts|tsbuildinfo)$|(^|\/)(test|tests|benchmarks?|\.github)\//

const launcher = `#!/bin/sh
# Runs the program with the Node beside it.
self=$(readlink -f "$0")
root=\${self%/*/*}
exec "$root/lib/node" "$root/lib/app/bin/zonereeve.js" "$@"
`

/** As dpkg and Node name it: linux-x64. */
export const PLATFORM = `${process.platform}-${process.arch}`

export const releaseVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('packages/server/package.json has no version')
}

/**
 * Writes bin/zonereeve, lib/node and lib/app below `folder`, from the program that `npm run build` has built.
 *
 * @param node the Node binary to include: it must run on the target system, and native parts are for its platform.
 */
export async function writeReleaseFolder(folder: string, node: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const app = join(folder, 'lib/app')
  mkdirSync(app, { recursive: true })
  for (const name of PROGRAM) cpSync(join(server, name), join(app, name), { recursive: true, filter: isUsed })
  for (const path of await lockedPackages()) copyPackage(path, join(app, relative(root, path)))
  cpSync(node, join(folder, 'lib/node'), { dereference: true })
  chmodSync(join(folder, 'lib/node'), 0o755)
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/zonereeve'), launcher, { mode: 0o755 })
}

const isUsed = (path: string): boolean => !path.endsWith('.map') && !path.endsWith('.sources')

/** Folders of the npm packages that a workspace needs, as the lock file installed them. */
async function lockedPackages(workspace = 'zonereeve'): Promise<string[]> {
  const listing = ['ls', '--all', '--omit=dev', '--parseable', '--workspace', workspace]
  const { ok, output } = await run('npm', listing, { cwd: root })
  if (!ok) throw new Error(`the dependencies are not complete; run npm ci\n${output}`)
  const modules = join(root, 'node_modules') + sep
  const found = output.split('\n').filter((line) => line.startsWith(modules))
  const own = (path: string): boolean =>
    path === join(modules, 'zonereeve') || path.startsWith(join(modules, '@zonereeve'))
  return [...new Set(found)].filter((path) => !own(path))
}

/** Those of the program, and those that the dashboard's files are built from. */
export async function releasedThirdParties(): Promise<ThirdParty[]> {
  const paths = [...(await lockedPackages()), ...(await lockedPackages('@zonereeve/dashboard'))]
  return thirdPartiesAt(root, [...new Set(paths)])
}

function copyPackage(from: string, to: string): void {
  const name = from
    .slice(join(root, 'node_modules').length + 1)
    .split(sep)
    .join('/')
  const pattern = UNUSED_FOLDERS[name]?.source.replace('PLATFORM', PLATFORM)
  const unused = pattern === undefined ? undefined : new RegExp(pattern)
  cpSync(from, to, {
    recursive: true,
    filter: (path) => {
      const inside = relative(from, path).split(sep).join('/')
      // Packages inside a package are copied for themselves.
      if (/(^|\/)node_modules(\/|$)/.test(inside)) return false
      return !UNUSED_FILES.test(inside) && !unused?.test(inside) && !unused?.test(`${inside}/`)
    },
  })
}
