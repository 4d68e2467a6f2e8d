// Decides by media type whether browsers would run a response as a script.
import type { ContentType } from '@zonereeve/safe-fetch'

/** JavaScript MIME type essences (WHATWG MIME Sniffing §4.6). */
const JAVASCRIPT = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
])

/**
 * Whether a browser may run content of a type as a classic script. Most types pass, `text/html` among them: a
 * script must not escape the scan behind such a type. (Fetch, “should response to request be blocked due to
 * its MIME type”, and “due to nosniff”.)
 */
export function mayBeScript({ essence, isStrict }: ContentType): boolean {
  if (isStrict) return JAVASCRIPT.has(essence)
  return !/^(audio|image|video)\//.test(essence) && essence !== 'text/csv'
}
