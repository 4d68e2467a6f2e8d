// How a detected URL and its pages are shown.

/** Host, and everything behind it; a URL without a host is all host. */
export function splitUrl(url: string): { readonly host: string; readonly rest: string } {
  const [, host, rest] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  return host === undefined || rest === undefined ? { host: url, rest: '' } : { host, rest }
}

/** The last part of the path; of a URL without one, the host. */
export function fileOf(url: string): string {
  const { host, rest } = splitUrl(url)
  const file = rest
    .replace(/[?#].*$/, '')
    .split('/')
    .findLast((part) => part !== '')
  return file ?? host
}

/** A URL without its scheme. */
export function bareUrl(url: string): string {
  const { host, rest } = splitUrl(url)
  return `${host}${rest === '/' ? '' : rest}`
}

interface Paged {
  readonly host: string
  readonly first_page_url?: string
  readonly page_urls?: readonly string[]
}

/** Pages by their path if they are on the host that is shown anyway. */
export function pagesOf({ host, first_page_url: first, page_urls: urls }: Paged): readonly string[] {
  const pages = urls === undefined || urls.length === 0 ? (first === undefined ? [] : [first]) : urls
  return pages.map((page) => {
    const bare = page.replace(/^https?:\/\//, '')
    return bare.startsWith(`${host}/`) ? bare.slice(host.length) : bare
  })
}
