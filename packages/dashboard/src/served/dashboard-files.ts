// The built dashboard as the server sends it: files by path, compressed as the client asks, with all their headers.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ServedFile {
  readonly headers: Readonly<Record<string, string>>
  /** Absent if the client has the current version. */
  readonly bytes: Buffer | undefined
}

/** What of a request decides the reply. */
export interface Wishes {
  readonly acceptEncoding?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export interface DashboardFiles {
  /** The page, for every path of the dashboard. */
  readonly page: (wishes: Wishes) => ServedFile
  /** A file of assets/; undefined if there is none of this name. */
  readonly asset: (name: string, wishes: Wishes) => ServedFile | undefined
}

/** The first segments of the dashboard's own URLs; everything below them is one page. */
export const DASHBOARD_PATHS = [
  'zones',
  'sign-in',
  'tokens',
  'users',
  'audit',
  'feeds',
  'webhooks',
  'catalogs',
  'health',
  'settings',
  'account',
] as const

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-cache',
}

/** Names have a hash of the content, so that a name never gets other content. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' }

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** In the order of preference. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

const ASSET_NAME = /^[\w-][\w.-]*\.(?:js|css|svg|woff2)$/

/** Where the built files are: beside the bundled program, or two folders above its source. */
const FOLDERS = ['./dashboard/', '../../dist/dashboard/']

/** The files that belong to the program with this module. @returns undefined in a checkout without a build */
export function findDashboard(moduleUrl: string): DashboardFiles | undefined {
  return FOLDERS.map((folder) => createDashboardFiles(fileURLToPath(new URL(folder, moduleUrl)))).find(
    (files) => files !== undefined,
  )
}

/** @returns undefined if the folder has no built dashboard. Its files are read when they are first asked for. */
export function createDashboardFiles(folder: string): DashboardFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const read = new Map<string, { readonly bytes: Buffer; readonly etag: string }>()
  return {
    page: (wishes) => serve('index.html', PAGE_HEADERS, wishes),
    asset: (name, wishes) => {
      const path = join('assets', name)
      return ASSET_NAME.test(name) && isFile(join(folder, path))
        ? serve(path, ASSET_HEADERS, wishes)
        : undefined
    },
  }

  function serve(path: string, fixed: Readonly<Record<string, string>>, wishes: Wishes): ServedFile {
    const encoding = ENCODINGS.find(
      ({ name, suffix }) => accepts(wishes.acceptEncoding, name) && isFile(join(folder, path + suffix)),
    )
    const { bytes, etag } = contentOf(encoding === undefined ? path : path + encoding.suffix)
    const headers = {
      ...fixed,
      'Content-Type': typeOf(path),
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept, Accept-Encoding',
      ETag: etag,
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding.name }),
    }
    return { headers, bytes: wishes.ifNoneMatch === etag ? undefined : bytes }
  }

  function contentOf(path: string): { readonly bytes: Buffer; readonly etag: string } {
    const known = read.get(path)
    if (known !== undefined) return known
    const bytes = readFileSync(join(folder, path))
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    read.set(path, { bytes, etag })
    return { bytes, etag }
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

function typeOf(path: string): string {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`no media type for ${path}`)
  return type
}

/** Whether the header accepts the encoding by name; `;q=0` refuses it (RFC 9110 §12.5.3). */
function accepts(header: string | undefined, encoding: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((chunk) => chunk.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
