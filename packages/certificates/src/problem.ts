// Words for what went wrong.

export const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // Some have only a code: all addresses of a name failed.
  const message = error.message === '' && 'code' in error ? String(error.code) : error.message
  return error.cause instanceof Error && error.cause.message !== '' && !message.includes(error.cause.message)
    ? `${message}: ${error.cause.message}`
    : message
}
