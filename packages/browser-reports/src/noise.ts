// Recognizes reports that are not about the page itself but about extensions, injecting software, or the
// browser.

/** Schemes of extensions and of content injected by browsers and apps, in lower case. */
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

/** Hosts of software that injects scripts into every page passing through it. */
const INJECTED_HOSTS = /(?:^|\.)(?:kaspersky-labs\.com|translate\.goog)$/
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * True if the source is an extension or the browser itself: `moz-extension`, `chrome-extension://…`,
 * `resource:///…`.
 */
export function isForeignScheme(uri: string): boolean {
  if (uri === '' || uri.startsWith('https://')) return false
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*)(?::|$)/.exec(uri)?.[1]
  return scheme !== undefined && SCHEMES.has(scheme.toLowerCase())
}

/**
 * True for hosts of content injected by software on the visitor's machine.
 * @param pageHost a page served from the visitor's own machine may legitimately load from there.
 */
export function isInjectedHost(host: string, pageHost: string): boolean {
  if (LOOPBACK.test(host)) return !LOOPBACK.test(pageHost)
  return INJECTED_HOSTS.test(host)
}
