// Scripts that take what visitors type, card numbers before all, and send it elsewhere. Payment pages are full of scripts that read fields,
// look for a checkout and talk to other hosts; what tells a thief is how many of the marks below stand together.
import {
  carries,
  describe,
  type Evidence,
  type Finding,
  first,
  isConcealed,
  isPutTogether,
  isToOther,
  matchOf,
  proof,
  type Rule,
  sign,
} from './evidence.ts'
import type { Flow } from './observations.ts'
import { TAINT } from './values.ts'

/** Names of fields that nothing but a card has. */
const CARD_FIELDS =
  /card.?(?:num|no\b|holder|cvv|cvc|code)|cc.?(?:num|no\b|cid|cvv|cvc|owner|name)|\bcvv2?\b|\bcvc2?\b|\bcvn|creditcard|credit.card|security.?code|payment\[/iu
const ALL_FIELDS = /^(?:(?:form|body) )?(?:input|select|textarea|form)(?:\s*,.*)?$/u

/** Whether a script is loaded for what it answers with: the only way before CORS. */
const asksForAnswer = ({ sink, address }: Flow, corpus: string): boolean =>
  sink === 'script' && (/jsonp|callback=|cb=/iu.test(address) || /[?&](?:callback|jsonp)=/iu.test(corpus))

/** Whether it goes a way by which no answer comes back. */
function isSilent(flow: Flow, { analysis: { corpus } }: Evidence): boolean {
  if (flow.sink === 'fetch') return /["']no-cors["']/u.test(corpus)
  return (
    ['image', 'beacon', 'socket', 'script', 'form', 'frame'].includes(flow.sink) &&
    !asksForAnswer(flow, corpus)
  )
}

function readsAllFields({ has, analysis: { observed } }: Evidence): boolean {
  if (has('all-fields')) return true
  return (
    observed.paths.has('document.querySelectorAll()') && [...observed.texts].some((t) => ALL_FIELDS.test(t))
  )
}

const MESSENGER = /\/bot\d*:?[\w-]*\/?sendMessage|\/api\/webhooks\//iu

interface Mark {
  readonly name: string
  readonly weight: number
  /** Who takes an order by a form of their own has no use for it. */
  readonly isTelling?: true
  readonly isThere: (evidence: Evidence, flow: Flow) => boolean
}

/** What may be about fields that leave. The first two tell of what is taken, the others of how. */
const TAKEN: readonly Mark[] = [
  { name: 'every field', weight: 1, isThere: readsAllFields },
  {
    name: 'a card',
    weight: 1,
    isTelling: true,
    isThere: ({ has, analysis: { corpus } }, flow) =>
      carries(flow, TAINT.card) || CARD_FIELDS.test(corpus) || has('card-pattern'),
  },
]
const MANNER: readonly Mark[] = [
  { name: 'at a checkout', weight: 1, isThere: ({ has }) => has('checkout-words') },
  { name: 'without an answer', weight: 1.5, isThere: (evidence, flow) => isSilent(flow, evidence) },
  {
    name: 'encoded',
    weight: 1,
    isTelling: true,
    isThere: ({ has, analysis: { corpus } }) => has('base64-encode') && !/["'`]Basic /u.test(corpus),
  },
  { name: 'again and again', weight: 0.5, isTelling: true, isThere: ({ has }) => has('interval') },
  { name: 'on the way, on a click', weight: 0.5, isThere: ({ has }) => has('pointer-events') },
  {
    name: 'kept until later',
    weight: 1,
    isTelling: true,
    isThere: (_, flow) => flow.sink !== 'socket' && carries(flow, TAINT.storage),
  },
  {
    name: 'unless it is watched',
    weight: 1,
    isTelling: true,
    isThere: ({ has }) => has('devtools-words') || has('window-size'),
  },
  {
    name: 'to a concealed host',
    weight: 1.5,
    isTelling: true,
    isThere: (evidence, flow) => isConcealed(evidence, flow),
  },
  {
    name: 'to a messenger',
    weight: 2.5,
    isTelling: true,
    isThere: (_, { address }) => MESSENGER.test(address),
  },
  { name: 'to a gate', weight: 0.5, isThere: ({ has }) => has('gate-address') },
]
/** Who counts visitors asks less of the same. */
const LESS_FOR_ANALYTICS = 1
const WEIGHT_OF_PROOF = 3.5
const WEIGHT_OF_SIGN = 2

/** The marks about one flow of fields to another host. */
function weighHarvest(evidence: Evidence, flow: Flow): Finding | null {
  const isThere = (mark: Mark): boolean => mark.isThere(evidence, flow)
  const taken = TAKEN.filter(isThere)
  const marks = [...taken, ...MANNER.filter(isThere)]
  const weight =
    marks.reduce((sum, mark) => sum + mark.weight, 0) -
    (evidence.has('analytics-words') ? LESS_FOR_ANALYTICS : 0)
  const found = `${describe(flow)}: ${marks.map(({ name }) => name).join(', ')}`
  // A payment page's own provider is asked for an answer, and gets the card alone.
  const isCovert =
    isSilent(flow, evidence) ||
    isConcealed(evidence, flow) ||
    taken.length === TAKEN.length ||
    // No provider of payments takes a card by a messenger.
    (MESSENGER.test(flow.address) && carries(flow, TAINT.card | TAINT.password))
  const isTelling = marks.some((mark) => mark.isTelling === true)
  if (taken.length > 0 && isCovert && isTelling && weight >= WEIGHT_OF_PROOF) return proof(found)
  return weight >= WEIGHT_OF_SIGN ? sign(found) : null
}

/** When a form is about to be sent. */
const WHEN_SENT = /^(?:submit|click|mousedown|touchstart|touchend|formdata)$/u

/** Whether the host alone is concealed, in a script that is not. */
const isConcealedInPlain = (evidence: Evidence, flow: Flow): boolean =>
  evidence.analysis.shape.hexNames === 0 && isPutTogether(evidence, flow)

export const HARVEST_RULES: readonly Rule[] = [
  {
    id: 'fields-harvested',
    head: 'magecart',
    says: 'takes fields of forms and sends them to another host',
    find: (evidence) => {
      const found = evidence.leaving
        .filter(
          (flow) =>
            carries(flow, TAINT.field | TAINT.card) &&
            flow.sink !== 'navigation' &&
            // A form of the page that goes elsewhere is looked at on its own.
            flow.sink !== 'action' &&
            isToOther(evidence, flow),
        )
        .map((flow) => weighHarvest(evidence, flow))
      return found.find((one) => one?.strength === 'proof') ?? found.find((one) => one !== null) ?? null
    },
  },
  {
    id: 'card-leaves',
    head: 'magecart',
    says: 'sends what is typed into payment fields to another host by a way that no payment form takes',
    find: (evidence) => {
      const { corpus } = evidence.analysis
      const cards = evidence.leaving.filter(
        (flow) => carries(flow, TAINT.card) && ['image', 'script', 'socket', 'beacon'].includes(flow.sink),
      )
      if (!CARD_FIELDS.test(corpus)) return null
      const told = (flow: Flow): boolean => !asksForAnswer(flow, corpus)
      return proof(first(cards, told, describe)) ?? sign(first(cards, () => true, describe))
    },
  },
  {
    id: 'card-pattern-leaves',
    head: 'magecart',
    says: 'tells card numbers by a pattern and sends fields to another host',
    find: (evidence) =>
      evidence.has('card-pattern')
        ? sign(
            first(
              evidence.leaving,
              (flow) => carries(flow, TAINT.field) && flow.sink !== 'navigation',
              describe,
            ),
          )
        : null,
  },
  {
    id: 'patched-form',
    head: 'magecart',
    says: 'changes how forms are submitted and sends to another host',
    find: (evidence) => {
      const isPatched = /HTMLFormElement\.prototype\.(?:submit|requestSubmit)\s*=/u.test(
        evidence.analysis.corpus,
      )
      if (!isPatched) return null
      const elsewhere = evidence.leaving.filter((flow) => isToOther(evidence, flow))
      return (
        proof(first(elsewhere, (flow) => carries(flow, TAINT.field | TAINT.card), describe)) ??
        sign(first(elsewhere, () => true, describe))
      )
    },
  },
  {
    id: 'concealed-harvest',
    head: 'magecart',
    says: 'sends what is typed to another host, whose name it conceals',
    find: (evidence) =>
      evidence.analysis.shape.hexNames === 0
        ? proof(
            first(
              evidence.leaving,
              (flow) =>
                carries(flow, TAINT.field | TAINT.card | TAINT.password | TAINT.keys) &&
                isToOther(evidence, flow) &&
                isPutTogether(evidence, flow),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'form-exchanged',
    head: 'magecart',
    says: 'gives a form of the page an address on another host',
    find: (evidence) => {
      const flows = evidence.leaving.filter((flow) => flow.sink === 'action' && isToOther(evidence, flow))
      const isRestored = evidence.analysis.observed.paths.has('<action restored>')
      // A button may send its form to a bank or a printer, and put the old address back; who waits until the form is sent hides it.
      const isHidden = ({ on }: Flow): boolean => isRestored && /^(?:submit|formdata)$/u.test(on)
      return (
        proof(first(flows, (flow) => isHidden(flow) || isConcealedInPlain(evidence, flow), describe)) ??
        sign(first(flows, ({ on }) => isRestored || WHEN_SENT.test(on), describe))
      )
    },
  },
  {
    id: 'fields-by-peer',
    head: 'magecart',
    says: 'sends fields from browser to browser, which no policy sees',
    find: (evidence) =>
      evidence.has('peer-connection')
        ? sign(
            first(
              evidence.analysis.observed.flows,
              ({ sink, address, taint }) =>
                sink === 'socket' && address === '' && (taint & (TAINT.field | TAINT.card)) !== 0,
              describe,
            ),
          )
        : null,
  },
  {
    id: 'form-diverted',
    head: 'magecart',
    says: 'sends a form of the page to another host, whose name it conceals',
    find: (evidence) =>
      evidence.analysis.shape.hexNames === 0
        ? proof(
            first(
              evidence.leaving,
              (flow) => flow.sink === 'form' && isToOther(evidence, flow) && isPutTogether(evidence, flow),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'concealed-loader',
    head: 'magecart',
    says: 'loads a script on payment pages from a host whose name it conceals',
    find: (evidence) =>
      evidence.has('checkout-words') && evidence.analysis.shape.hexNames === 0
        ? proof(
            first(
              evidence.leaving,
              (flow) => (flow.sink === 'script' || flow.sink === 'frame') && isPutTogether(evidence, flow),
              describe,
            ),
          )
        : null,
  },
  {
    id: 'skimmer-kit',
    head: 'magecart',
    says: 'has words of a known kit of card thieves',
    find: ({ analysis: { corpus } }) =>
      sign(
        matchOf(
          /ant_cockroach|grelos_v|magentocore\.(?:net|su)|\bjs_?skimmer\b|ATMZOW|statistika\.js|jquery_?cdn\.top/u,
          corpus,
        ),
      ),
  },
]
