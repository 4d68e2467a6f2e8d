// Reads the output of `npm audit --json`.

export type AuditResult =
  | { readonly kind: 'clean' }
  /** Names of packages with a vulnerability of level high or critical. */
  | { readonly kind: 'vulnerable'; readonly names: readonly string[] }
  | { readonly kind: 'unanswered'; readonly reason: string }

interface Report {
  readonly auditReportVersion?: number
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly error?: { readonly summary?: string; readonly code?: string }
}

const FAILING = new Set(['high', 'critical'])

/** Without a report, the registry has not answered: an empty one would be a false success. */
export function readAudit(output: string): AuditResult {
  const { auditReportVersion: version, vulnerabilities, message, error } = parseReport(output)
  if (version === undefined || vulnerabilities === undefined)
    return { kind: 'unanswered', reason: message ?? error?.summary ?? error?.code ?? 'it sent no report' }
  const names = Object.entries(vulnerabilities).flatMap(([name, { severity }]) =>
    FAILING.has(severity) ? [name] : [],
  )
  return names.length === 0 ? { kind: 'clean' } : { kind: 'vulnerable', names }
}

function parseReport(output: string): Report {
  const start = output.indexOf('{')
  try {
    return JSON.parse(output.slice(start, output.lastIndexOf('}') + 1)) as Report // npm's own form
  } catch {
    return { message: 'its output is not JSON' }
  }
}
