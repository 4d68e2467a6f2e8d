// npm run build: bundles the program into packages/server/dist and puts the package's documents beside it.
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildResult, type Plugin } from 'esbuild'
import ts from 'typescript'
import { buildDashboard } from './dashboard.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const server = join(root, 'packages/server')

/** Files of dist/, each with its source. A worker that is started by file name has its own entry. */
const entryPoints: Readonly<Record<string, string>> = {
  cli: join(server, 'src/main/cli.ts'),
  'start-zonereeve': join(server, 'src/main/start-zonereeve.ts'),
  'answering.worker': join(server, 'src/main/answering.worker.ts'),
  'analysis.worker': join(server, 'src/features/monitoring/script-fetching/analysis.worker.ts'),
  'zone-file.worker': join(server, 'src/features/dns/zone-file/zone-file.worker.ts'),
  'compare.worker': join(root, 'packages/command-line/src/compare.worker.ts'),
  'offload.worker': join(root, 'packages/storage/src/offload.worker.ts'),
}

/** Runs the bundle without looking for TypeScript sources first, as bin/zonereeve.js does. */
const start = `#!/usr/bin/env node
import { main } from './cli.js'
process.exitCode = (await main(process.argv.slice(2))) || process.exitCode
`

const documents = ['README.md', 'LICENSE', 'CHANGELOG.md']

/** Our own packages are bundled, since only the server is published; npm packages stay imports. */
const inlineWorkspacePackages: Plugin = {
  name: 'inline-workspace-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      const [, name, file = 'index.ts'] = /^@zonereeve\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
      return name === undefined
        ? { path, external: true }
        : { path: join(root, 'packages', name, 'src', file) }
    })
  },
}

/** @param sources of the files of the folder, by name. The metafile lists everything that the bundles import. */
export async function bundleInto(
  outdir: string,
  sources: Readonly<Record<string, string>>,
  options: { readonly write: boolean },
): Promise<BuildResult<{ metafile: true }>> {
  return await build({
    entryPoints: { ...sources },
    outdir,
    plugins: [inlineWorkspacePackages],
    bundle: true,
    format: 'esm',
    // A command loads only what it needs: `import()` in the sources is one in the bundle.
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: options.write,
  })
}

/** Bundles every entry point. */
export async function bundle(options: { readonly write: boolean }): Promise<BuildResult<{ metafile: true }>> {
  const result = await bundleInto(join(server, 'dist'), entryPoints, options)
  if (options.write) {
    removeOldFiles(Object.keys(result.metafile.outputs))
    writeFileSync(join(server, 'dist/start.js'), start)
    chmodSync(join(server, 'dist/start.js'), 0o755)
    writeFileSync(join(server, 'dist/start-zonereeve.d.ts'), declarations())
  }
  return result
}

/** Files that bundles share are named after their contents: those of the build before would stay. */
function removeOldFiles(written: readonly string[]): void {
  const current = new Set(written.map((path) => basename(path)))
  for (const name of readdirSync(join(server, 'dist')))
    if (/\.js(?:\.map)?$/.test(name) && !current.has(name)) rmSync(join(server, 'dist', name))
}

/** The types of what the npm package exports. They refer to no other file. */
function declarations(): string {
  const fileName = join(server, 'src/main/start-zonereeve.ts')
  const compilerOptions = { isolatedDeclarations: true, declaration: true }
  return ts.transpileDeclaration(readFileSync(fileName, 'utf8'), { fileName, compilerOptions }).outputText
}

async function main(): Promise<void> {
  rmSync(join(server, 'dist'), { recursive: true, force: true })
  const { metafile } = await bundle({ write: true })
  await buildDashboard()
  for (const document of documents) copyFileSync(join(root, document), join(server, document))
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    console.log(`${file}  ${(bytes / 1024).toFixed(0)} KiB`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
