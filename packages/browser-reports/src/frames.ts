// Documents without an address of their own: frames with `srcdoc` or `about:blank`. Browsers report them as
// `about`, with the policy and the signed reporting address of the page that they are part of.

/** `about` as Chromium and Firefox report it (CSP3 §5.4 strips the rest), or the whole address. */
const ABOUT = /^about(?::|$)/i

export const isAbout = (uri: string): boolean => ABOUT.test(uri)

/** What a report of such a document says about its page; each can be missing. */
export interface FrameReport {
  /** Of the report: Chromium names the page or its origin, Firefox nothing. */
  readonly referrer: string
  /** Request headers. */
  readonly referer: string | undefined
  readonly origin: string | undefined
  readonly host: string | undefined
}

/**
 * The page that a frame without an address belongs to: the most exact of what the browser sent, which may be
 * only an origin. Sandboxed frames have the origin `null`: then it is the host that the report was sent to,
 * because pages report to their own host by default.
 * @param isOwnPage whether a URL is a page of the zone that the reporting address was signed for.
 * @returns undefined if no page of the zone is named.
 */
export function pageOfFrame(
  { referrer, referer, origin, host }: FrameReport,
  isOwnPage: (url: string) => boolean,
): string | undefined {
  const own = [referrer, referer, origin].filter(
    (url): url is string => url !== undefined && url !== '' && isOwnPage(url),
  )
  const page = own.find((url) => !ORIGIN_ONLY.test(url)) ?? own[0]
  if (page !== undefined || host === undefined || referrer !== '' || referer !== undefined) return page
  const sentTo = `https://${host}/`
  return origin === 'null' && isOwnPage(sentTo) ? sentTo : undefined
}

const ORIGIN_ONLY = /^[a-z]+:\/\/[^/?#]*\/?$/i
