// Scripts that take visitors elsewhere, or load what another host chooses for them.
import {
  carries,
  conclusive,
  describe,
  type Evidence,
  first,
  isConcealed,
  isHiddenAlone,
  isPutTogether,
  isToOther,
  KNOWN_FRAMES,
  matchOf,
  type Rule,
  suggestive,
} from './evidence.ts'
import type { Flow } from './observations.ts'
import { domainLabel, hasHost, hostOf } from './origins.ts'
import { TAINT } from './values.ts'

/** Ways in which foreign code is loaded or the visitor is redirected. */
const BRINGS_CODE = new Set(['script', 'frame', 'navigation', 'socket', 'code'])
const REQUESTS = new Set(['fetch', 'xhr', 'ajax'])
const isByDay = ({ nameTaint }: Flow): boolean => (nameTaint & TAINT.clock) !== 0
const describeSchedule = ({ sink, address }: Flow): string => `${address.slice(0, 120)}…, by ${sink}`
const AT_A_CLICK =
  /^(?:click|dblclick|auxclick|mousedown|mouseup|touchstart|touchend|pointerdown|pointerup|tap)$/u
/** The part of a site for phones, an app store, or another language. */
const PATH_FOR_PHONES = /\/(?:m|mobile|wap|app|apps|store|download|[a-z]{2})(?:[/?#]|$)/u

/** Whether the host name is written backwards in the source. */
const isMirrored = ({ analysis: { source } }: Evidence, flow: Flow): boolean => {
  const host = hostOf(flow.address)
  if (host === null) return false
  const label = domainLabel(host)
  return source.toLowerCase().includes([...label].toReversed().join(''))
}

/** Visitor, origin and time; values of a cookie or storage may also be consent. */
const WHO_COMES = TAINT.agent | TAINT.referrer | TAINT.clock | TAINT.chance

/** A site's own address for phones, and app stores. */
const OWN_FOR_PHONES =
  /^(?:m|mobile|wap|touch|app|apps|play|itunes)\.|(?:^|\.)(?:(?:google|apple|microsoft)\.com|onelink\.me|(?:app|smart)\.link|page\.link|adj\.st)$/u

/**
 * Whether a script or frame of a hidden host is loaded once for each visitor: unless there is a cookie, which the script
 * then sets. A choice that visitors made is read, too, but set by their click.
 */
function isOnceFromHidden(evidence: Evidence, flow: Flow): boolean {
  const { observed, shape } = evidence.analysis
  return (
    (flow.sink === 'script' || flow.sink === 'frame') &&
    (flow.under & (TAINT.cookie | TAINT.storage)) !== 0 &&
    observed.flows.some(
      ({ sink, taint, on, under }) =>
        sink === 'storage' && (taint & TAINT.clock) !== 0 && on === flow.on && under === flow.under,
    ) &&
    shape.hexNames === 0 &&
    isToOther(evidence, flow) &&
    isPutTogether(evidence, flow)
  )
}

export const REDIRECT_RULES: readonly Rule[] = [
  {
    id: 'sells-visitors',
    head: 'malware',
    description: 'redirects visitors from search engines to another site',
    find: (evidence) =>
      evidence.has('referrer') && evidence.has('search-engines')
        ? suggestive(
            first(
              evidence.leaving,
              (flow) => flow.sink === 'navigation' && isToOther(evidence, flow),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'host-of-the-day',
    head: 'malware',
    description: 'loads from, or redirects to, a host whose name it computes from the date',
    find: ({ analysis: { observed } }) =>
      conclusive(
        first(observed.flows, (flow) => isByDay(flow) && BRINGS_CODE.has(flow.sink), describeSchedule),
      ) ?? suggestive(first(observed.flows, isByDay, describeSchedule)),
  },
  {
    id: 'host-told-by-names',
    head: 'malware',
    description: 'gets the address that it loads or redirects to from DNS',
    find: ({ has, analysis: { corpus, observed } }) => {
      const reported = observed.flows.filter(
        (flow) => BRINGS_CODE.has(flow.sink) && carries(flow, TAINT.network),
      )
      if (reported.length === 0) return null
      const service = matchOf(
        /application\/dns-json|\/dns-query\b|\bdns\.google\b|\/resolve\?name=|type=TXT/u,
        corpus,
      )
      // A domain search tool links to its results; scripts that redirect without a request have the address encoded
      // in their code.
      const isUnasked = ({ sink, on }: Flow): boolean =>
        sink === 'script' ||
        sink === 'code' ||
        (sink === 'navigation' && !AT_A_CLICK.test(on) && (has('base64-decode') || has('char-codes')))
      return reported.some(isUnasked) ? conclusive(service) : suggestive(service)
    },
  },
  {
    id: 'phones-sold',
    head: 'malware',
    description: 'redirects visitors to another site by browser or referrer, only once in a while',
    find: (evidence) => {
      const isSold = (flow: Flow): boolean =>
        flow.sink === 'navigation' &&
        isToOther(evidence, flow) &&
        !hasHost(flow.address, OWN_FOR_PHONES) &&
        (flow.under & (TAINT.agent | TAINT.referrer)) !== 0 &&
        (flow.under & (TAINT.storage | TAINT.cookie | TAINT.clock | TAINT.chance)) !== 0
      const sold = evidence.leaving.filter(isSold)
      // A site's own mobile version keeps the path of the page; traffic sellers remember a visitor in order not to
      // sell it twice.
      const isRemembered = evidence.analysis.observed.flows.some(({ sink }) => sink === 'storage')
      const isElsewhere = ({ address, taint, on, under }: Flow): boolean =>
        isRemembered &&
        ((taint & TAINT.place) === 0 || address.includes('?')) &&
        !PATH_FOR_PHONES.test(address) &&
        // A visitor who clicks a button wants to go there, and surveys pick visitors by chance.
        !AT_A_CLICK.test(on) &&
        (under & (TAINT.storage | TAINT.cookie)) !== 0
      return conclusive(first(sold, isElsewhere, describe)) ?? suggestive(first(sold, () => true, describe))
    },
  },
  {
    id: 'hidden-host',
    head: 'malware',
    description: 'loads from, or redirects to, a host whose name is the only hidden text',
    find: (evidence) => {
      const isHidden = (flow: Flow): boolean =>
        (BRINGS_CODE.has(flow.sink) || flow.sink === 'action') &&
        isToOther(evidence, flow) &&
        !hasHost(flow.address, KNOWN_FRAMES) &&
        isHiddenAlone(evidence, flow)
      // Settings in base64 may contain a host; a host written as numbers is always hidden on purpose.
      const isByCodes = evidence.has('char-codes') && !evidence.has('base64-decode')
      const isForSome = ({ under }: Flow): boolean => (under & WHO_COMES) !== 0
      return (
        conclusive(
          first(
            evidence.leaving,
            (flow) => (isByCodes || isMirrored(evidence, flow) || isForSome(flow)) && isHidden(flow),
            describe,
          ),
        ) ??
        conclusive(first(evidence.leaving, (flow) => isOnceFromHidden(evidence, flow), describe)) ??
        suggestive(first(evidence.leaving, isHidden, describe))
      )
    },
  },
  {
    id: 'loaded-for-some',
    head: 'malware',
    description: 'loads from another host by referrer, or by browser and time or chance',
    find: (evidence) => {
      const isForSome = ({ under }: Flow): boolean =>
        (under & TAINT.referrer) !== 0 ||
        ((under & TAINT.agent) !== 0 && (under & (TAINT.clock | TAINT.chance)) !== 0)
      return suggestive(
        first(
          evidence.leaving,
          (flow) =>
            (flow.sink === 'script' || flow.sink === 'frame') &&
            isForSome(flow) &&
            isToOther(evidence, flow) &&
            !hasHost(flow.address, KNOWN_FRAMES),
          describe,
        ),
      )
    },
  },
  {
    id: 'decoded-redirect',
    head: 'malware',
    description: 'redirects to another site with encoded code',
    find: (evidence) =>
      // A script that first asks a server does not redirect every visitor.
      !evidence.has('fetch') &&
      evidence.analysis.observed.layers.some(({ by }) => by === 'eval' || by === 'function')
        ? suggestive(
            first(
              evidence.leaving,
              (flow) =>
                flow.sink === 'navigation' &&
                isToOther(evidence, flow) &&
                isConcealed(evidence, flow) &&
                !hasHost(flow.address, /^m\./u),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'page-left-behind',
    head: 'malware',
    description: 'opens the page in another window at a click, and takes the visitor elsewhere in this one',
    find: (evidence) => {
      if (!evidence.analysis.observed.paths.has('<page opened again>')) return null
      const away = evidence.leaving.filter(
        (flow) => flow.sink === 'navigation' && AT_A_CLICK.test(flow.on) && isToOther(evidence, flow),
      )
      // A button for a window of its own, and one to another site, do so at each click.
      const isOnce = ({ under }: Flow): boolean => (under & (TAINT.storage | TAINT.cookie)) !== 0
      return conclusive(first(away, isOnce, describe)) ?? suggestive(first(away, () => true, describe))
    },
  },
  {
    id: 'page-from-network',
    head: 'malware',
    description: 'replaces the page by what another host sends, for some browsers and only once',
    find: (evidence) => {
      const { flows, paths } = evidence.analysis.observed
      const isAsked = evidence.leaving.some(
        (flow) => REQUESTS.has(flow.sink) && isToOther(evidence, flow) && carries(flow, TAINT.place),
      )
      if (!isAsked || !paths.has('document.write()') || !paths.has('document.open()')) return null
      const isChosen = evidence.leaving.some(
        ({ sink, taint }) => REQUESTS.has(sink) && (taint & TAINT.agent) !== 0,
      )
      const isForSome = ({ sink, taint, under }: Flow): boolean =>
        (sink === 'markup' || sink === 'code') &&
        (taint & TAINT.network) !== 0 &&
        (isChosen || (under & (TAINT.agent | TAINT.referrer)) !== 0) &&
        (under & (TAINT.storage | TAINT.cookie)) !== 0
      return conclusive(first(flows, isForSome, () => 'a page out of a response'))
    },
  },
  {
    id: 'traffic-system',
    head: 'malware',
    description: 'has the marks of a known traffic distribution system',
    find: ({ analysis: { corpus } }) =>
      conclusive(
        matchOf(
          /if\s*\(\s*(?:typeof\s+)?nd(?:sj|sw|sx)\s*===?\s*["']?undefined|\bvar\s+(?:ndsj|ndsw|zqxq|zqxw)\s*=\s*(?:!0|true|!!)/u,
          corpus,
        ),
      ),
  },
]
