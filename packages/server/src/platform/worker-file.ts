// Files that run in a thread or a process of their own: TypeScript in the repository, beside the bundle when published.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

export interface WorkerFile {
  readonly url: URL
  /** Options of Node that it needs. */
  readonly execArgv: readonly string[]
}

/**
 * @param path of the file, relative to whoever starts it, without its extension.
 * @param starter that one's `import.meta.url`. In the published package all files lie side by side.
 */
export function workerFile(path: string, starter: string): WorkerFile {
  if (starter.endsWith('.ts'))
    return { url: new URL(`${path}.ts`, starter), execArgv: ['--import', sourceLoader()] }
  return { url: new URL(`${path}.js`, starter), execArgv: [] }
}

/** Lets it read TypeScript, as the program itself does in the repository. */
const sourceLoader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
