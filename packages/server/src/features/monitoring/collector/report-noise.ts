// Recognizes reports that the site did not cause: browser extensions, and programs that inject scripts into every page.
import { isForeignScheme, isInjectedHost, type Report } from '@zonereeve/browser-reports'
import type { Page } from '../page-shield/index.ts'
import type { Drop } from './counters.ts'

/** @returns undefined if it is no noise. */
export function noiseOf(report: Report, { host }: Page): Drop | undefined {
  const uri = report.kind === 'hash' ? report.url : report.blockedUri
  const sourceFile = report.kind === 'hash' ? '' : report.sourceFile
  if (isForeignScheme(uri) || isForeignScheme(sourceFile)) return 'extension'
  return isInjected(uri, host) || isInjected(sourceFile, host) ? 'injected' : undefined
}

function isInjected(uri: string, pageHost: string): boolean {
  const host = uri.includes('//') ? hostOf(uri) : ''
  return host !== '' && isInjectedHost(host, pageHost)
}

/** `host` or `host:port` of a URL without parsing it: most reports are about known hosts. */
function hostOf(uri: string): string {
  const host = /^[^/]*\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(uri)?.[1]
  return host === undefined ? '' : host.toLowerCase()
}
