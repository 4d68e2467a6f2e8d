// Finds files that run in a worker thread or process: TypeScript in the repository, next to the bundle when
// published.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

export interface WorkerFile {
  readonly url: URL
  /** Node options that the file needs. */
  readonly execArgv: readonly string[]
}

/**
 * @param path of the file, relative to the file that starts it, without extension.
 * @param starter `import.meta.url` of the file that starts it. In the published package all files are in one
 * folder.
 */
export function workerFile(path: string, starter: string): WorkerFile {
  if (starter.endsWith('.ts'))
    return { url: new URL(`${path}.ts`, starter), execArgv: ['--import', sourceLoader()] }
  return { url: new URL(`${path}.js`, starter), execArgv: [] }
}

/** As workerFile(), for a thread: Node 20 ignores loaders among the options of a thread, so a module of its own enables it. */
export function threadFile(path: string, starter: string): URL {
  const { url } = workerFile(path, starter)
  if (!starter.endsWith('.ts')) return url
  const loader = new URL('esm/api/index.mjs', sourceLoader()).href
  const code = `import {register} from ${JSON.stringify(loader)};register();await import(${JSON.stringify(url.href)})`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Enables reading TypeScript, as for the program itself in the repository. */
const sourceLoader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
