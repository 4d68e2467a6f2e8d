// The certificates of the embedded proxy, by the names in them: pairs of files in a folder, read again when they change.
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { EdgeLog } from './edge-log.ts'

/** Renewal tools replace files a few weeks before a certificate ends. */
const LOOK_MILLIS = 10_000

export interface Certificates {
  /** @returns undefined if no certificate is for this name. */
  readonly contextFor: (name: string) => SecureContext | undefined
  /** Looks now whether files have changed. */
  readonly look: () => void
  readonly close: () => void
}

interface Pair {
  readonly certificate: string
  readonly key: string
}

/**
 * `NAME.crt` or `NAME.pem` with `NAME.key`, `NAME.pem` with both, and folders with `fullchain.pem` and `privkey.pem`, as
 * certbot has them. A pair that cannot be used is logged, and what was there before stays as a whole.
 *
 * @param mayBeEmpty if others come later.
 * @throws Error if the folder has no pair, or one that cannot be used.
 */
export function createCertificates(
  folder: string,
  log: EdgeLog,
  { mayBeEmpty = false, lookMillis = LOOK_MILLIS } = {},
): Certificates {
  let version = versionOf(folder)
  let byName = load(folder, mayBeEmpty)
  const look = (): void => {
    try {
      const now = versionOf(folder)
      if (now === version) return
      // A pair that cannot be used is said once for each state of the files.
      version = now
      byName = load(folder, mayBeEmpty)
      log.info({ folder, names: [...byName.keys()] }, 'certificates replaced')
    } catch (error) {
      log.warn({ folder, problem: String(error) }, 'certificates not usable; the last ones stay')
    }
  }
  const timer = setInterval(look, lookMillis).unref()
  return {
    look,
    close: () => clearInterval(timer),
    contextFor(name) {
      const lower = name.toLowerCase()
      // A wildcard stands for one label (RFC 9525 §6.3).
      return byName.get(lower) ?? byName.get(lower.replace(/^[^.]+/, '*'))
    },
  }
}

function load(folder: string, mayBeEmpty: boolean): ReadonlyMap<string, SecureContext> {
  const pairs = pairsIn(folder)
  if (pairs.length === 0 && !mayBeEmpty)
    throw new Error(
      `${folder} has no certificate: NAME.crt with NAME.key, NAME.pem with both, or NAME/fullchain.pem with NAME/privkey.pem`,
    )
  return new Map(pairs.flatMap(readPair))
}

/** @throws Error naming the file. */
function readPair({ certificate, key }: Pair): (readonly [name: string, context: SecureContext])[] {
  try {
    const cert = readFileSync(certificate)
    const context = createSecureContext({ cert, key: readFileSync(key), minVersion: 'TLSv1.2' })
    const names = namesIn(new X509Certificate(cert))
    if (names.length === 0) throw new Error('it is for no DNS name')
    return names.map((name) => [name, context])
  } catch (error) {
    throw new Error(`${certificate}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  // one without any names
  [...subjectAltName.matchAll(/(?:^|, )DNS:([\w.*-]+)/g)].map(([, name = '']) => name.toLowerCase())

function pairsIn(folder: string): Pair[] {
  const pairs: Pair[] = []
  for (const entry of readdirSync(folder).toSorted()) {
    const path = join(folder, entry)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
      const certificate = join(path, 'fullchain.pem')
      if (isFile(certificate)) pairs.push({ certificate, key: join(path, 'privkey.pem') })
      continue
    }
    const key = path.replace(/\.(?:crt|pem)$/, '.key')
    if (key !== path && isFile(key)) pairs.push({ certificate: path, key })
    else if (path.endsWith('.pem') && hasKey(path)) pairs.push({ certificate: path, key: path })
  }
  return pairs
}

/** Chains of authorities have none. */
const hasKey = (path: string): boolean =>
  isFile(path) && readFileSync(path, 'latin1').includes('PRIVATE KEY-----')

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Changes with any file, its owner and its rights. Links are followed, because renewal may point them to new files. */
const versionOf = (folder: string): string =>
  pairsIn(folder)
    .flatMap(({ certificate, key }) => [certificate, key])
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${path} ${found?.mtimeMs} ${found?.ctimeMs} ${found?.size} ${found?.ino}`
    })
    .join()
