// Reports that are not of the page: extensions, programs that put something into every page, and the browser itself.

/** Schemes of extensions and of what browsers and apps put into pages, lower case. */
const SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'android-webview',
  'bdvideo',
  'chrome',
  'chrome-extension',
  'chromeinvoke',
  'chromeinvokeimmediate',
  'chromenull',
  'edge',
  'mbinit',
  'moz-extension',
  'ms-appx',
  'ms-appx-web',
  'ms-browser-extension',
  'mx',
  'mxjscall',
  'nativebaiduhd',
  'none',
  'opera',
  'res',
  'resource',
  'safari-extension',
  'safari-resource',
  'safari-web-extension',
  'webkit-masked-url',
  'webviewprogressproxy',
  'wvjbscheme',
])

/** Hosts of programs that put scripts into every page that passes them. */
const INJECTED_HOSTS = /(?:^|\.)(?:kaspersky-labs\.com|translate\.goog)$/
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** True for a source of an extension or of the browser: `moz-extension`, `chrome-extension://…`, `resource:///…`. */
export function isForeignScheme(uri: string): boolean {
  if (uri === '' || uri.startsWith('https://')) return false
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*)(?::|$)/.exec(uri)?.[1]
  return scheme !== undefined && SCHEMES.has(scheme.toLowerCase())
}

/**
 * True for hosts that something on the visitor's machine put into the page.
 *
 * @param pageHost a page that is on the visitor's machine itself may well load from there.
 */
export function isInjectedHost(host: string, pageHost: string): boolean {
  if (LOOPBACK.test(host)) return !LOOPBACK.test(pageHost)
  return INJECTED_HOSTS.test(host)
}
