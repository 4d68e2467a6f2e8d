// Describes errors of the operating system. Node's own message contains code, call and path in one line.

interface SystemError extends Error {
  readonly code: string
  readonly syscall: string
  readonly path?: string
  readonly address?: string
  readonly port?: number
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; change its owner or mode, or choose another path',
  EPERM: 'operation not permitted; change its owner or mode, or choose another path',
  EEXIST: 'already exists and is not a folder',
  EISDIR: 'is a folder, not a file',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of this path is a file, not a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'is on a read-only file system',
  EMFILE: 'this process has too many open files; raise its limit (ulimit -n)',
}

const LAST_PRIVILEGED_PORT = 1_023

/** The path or address and the problem; Node's own message for errors without a description here. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!isSystemError(error)) return error.message
  if (error.port !== undefined) return listenErrorText(error) ?? error.message
  const isKnown = error.path !== undefined && Object.hasOwn(FILE_ERRORS, error.code)
  return isKnown ? `${error.path}: ${FILE_ERRORS[error.code]}` : error.message
}

/** The same without the path, for messages that already name it. */
export function describeFileError(error: unknown): string {
  const path = isSystemError(error) ? `${error.path}: ` : ''
  const text = describeError(error)
  return path !== '' && text.startsWith(path) ? text.slice(path.length) : text
}

function listenErrorText({ code, address, port = 0 }: SystemError): string | undefined {
  const where = `${address}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use; choose another with --http or --dns`
    case 'EADDRNOTAVAIL':
      return `${where}: this machine does not have the address; choose another with --http or --dns`
    case 'EACCES':
      return port <= LAST_PRIVILEGED_PORT
        ? `${where}: ports below 1024 need a privilege; run with CAP_NET_BIND_SERVICE (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE), lower net.ipv4.ip_unprivileged_port_start, or choose another port with --http or --dns`
        : `${where}: permission denied; choose another with --http or --dns`
    default:
      return undefined
  }
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
