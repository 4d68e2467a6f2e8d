// Skimming: scripts that take what visitors type, card numbers above all, and send it elsewhere. Payment pages are
// full of scripts that read fields, look for a checkout and send to other hosts; the combination of the marks below
// identifies skimmers.
import {
  carries,
  concealsAll,
  describe,
  type Evidence,
  type Finding,
  first,
  isConcealed,
  isPutTogether,
  isToOther,
  matchOf,
  conclusive,
  type Rule,
  suggestive,
} from './evidence.ts'
import { CARD_ISSUER, type Flow, LEAVING_SINKS, OTHER_CARD_FIELDS } from './observations.ts'
import { asksForAnswer, isCopied, isOwnForm, isSilent, isUnlikeForms } from './own-forms.ts'
import { hasHost, isMessenger } from './origins.ts'
import { TAINT } from './values.ts'

/** Field names that only payment cards have. */
const CARD_FIELDS =
  /card.?(?:num|no\b|holder|cvv|cvc|code)|cc.?(?:num|no\b|cid|cvv|cvc|owner|name)|\bcvv2?\b|\bcvc2?\b|\bcvn|creditcard|credit.card|security.?code|payment\[/iu
const ALL_FIELDS =
  /^(?:(?:form|body) )?(?:input|select|textarea|form)(?:\[(?:autocomplete|name|id)\])?(?:\s*,.*)?$/u
/** What looks at the kind of a field may leave some of them out. */
const CHOOSES = /\.type\b|\btype\s{0,3}=|["'`]type["'`]|password|exclude|ignore|\bmask|:not\(/iu

function readsAllFields({ has, analysis: { observed } }: Evidence): boolean {
  if (has('all-fields')) return true
  return (
    observed.paths.has('document.querySelectorAll()') && [...observed.texts].some((t) => ALL_FIELDS.test(t))
  )
}

/** A public address without a name. Programs under development send to private ones. */
const NUMBERED_HOST =
  /^\s*(?:(?:https?|wss?):)?\/\/(?!(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|0|169\.254)\.)\d{1,3}(?:\.\d{1,3}){3}(?:[:/?#]|$)/iu

/**
 * Whether a script only offers the function and leaves its call to the page, as the library of a payment provider does.
 * What steals waits for no call.
 */
const isOffered = ({ isOffered: isUncalled, on }: Flow): boolean => isUncalled && on === ''

/** Whether it takes all that is typed at a checkout, whatever it is. */
const takesWholeCheckout = (evidence: Evidence): boolean =>
  readsAllFields(evidence) && evidence.has('checkout-words') && !CHOOSES.test(evidence.analysis.corpus)

/** Whether it gets all that a checkout sends, while the browser sends it to the shop. */
const isCopyOfCheckout = (evidence: Evidence, flow: Flow): boolean =>
  isCopied(evidence, flow) && takesWholeCheckout(evidence)

/** Whether nothing else of cards is read or sent than the first digits of a number. */
const takesOnlyIssuer = ({ analysis: { observed } }: Evidence): boolean =>
  observed.paths.has(CARD_ISSUER) &&
  !observed.paths.has(OTHER_CARD_FIELDS) &&
  !observed.flows.some((flow) => carries(flow, TAINT.card))

interface Mark {
  readonly name: string
  readonly weight: number
  /** A merchant that takes orders by its own form does not do this. */
  readonly isTelling?: true
  readonly isThere: (evidence: Evidence, flow: Flow) => boolean
}

/** Marks of flows with field values. The first two describe what is taken, the others how. */
const TAKEN: readonly Mark[] = [
  { name: 'every field', weight: 1, isThere: readsAllFields },
  {
    name: 'a card',
    weight: 1,
    isTelling: true,
    isThere: (evidence, flow) =>
      carries(flow, TAINT.card) ||
      (!takesOnlyIssuer(evidence) &&
        (CARD_FIELDS.test(evidence.analysis.corpus) || evidence.has('card-pattern'))),
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
  {
    name: 'whatever they are',
    weight: 0,
    isTelling: true,
    isThere: (evidence, flow) =>
      // An order by a request that returns nothing is confirmed at least when it was sent.
      (flow.sink === 'beacon' || flow.sink === 'image' || flow.sink === 'socket') &&
      takesWholeCheckout(evidence),
  },
  { name: 'beside the form', weight: 1, isTelling: true, isThere: isCopyOfCheckout },
  { name: 'on the way, on a click', weight: 0.5, isThere: ({ has }) => has('pointer-events') },
  {
    name: 'once a card is typed',
    weight: 1,
    isTelling: true,
    isThere: (_, { under, on }) => (under & TAINT.card) !== 0 && !/^(?:submit|click)$/u.test(on),
  },
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
    isThere: (evidence, flow) =>
      isConcealed(evidence, flow) && (evidence.analysis.wholeShape.hexNames > 0 || !concealsAll(evidence)),
  },
  {
    name: 'to a messenger',
    weight: 2.5,
    isTelling: true,
    isThere: (_, { address }) => isMessenger(address),
  },
  {
    name: 'to a number',
    weight: 1,
    isTelling: true,
    isThere: (_, { address }) => NUMBERED_HOST.test(address),
  },
  { name: 'to a gate', weight: 0.5, isThere: ({ has }) => has('gate-address') },
]
/** Analytics scripts show fewer of the same marks. */
const LESS_FOR_ANALYTICS = 1
const WEIGHT_OF_CONCLUSIVE = 3.5
const WEIGHT_OF_SUGGESTIVE = 2

/** The marks of one flow of field values to another host. */
function weighSkimming(evidence: Evidence, flow: Flow): Finding | null {
  const isThere = (mark: Mark): boolean => mark.isThere(evidence, flow)
  const fields = TAKEN.filter(isThere)
  const marks = [...fields, ...MANNER.filter(isThere)]
  const weight =
    marks.reduce((sum, mark) => sum + mark.weight, 0) -
    (evidence.has('analytics-words') ? LESS_FOR_ANALYTICS : 0)
  const found = `${describe(flow)}: ${marks.map(({ name }) => name).join(', ')}`
  // A payment page's own provider returns a response, and gets only the card data.
  const isCovert =
    isSilent(flow, evidence) ||
    isConcealed(evidence, flow) ||
    fields.length === TAKEN.length ||
    isCopyOfCheckout(evidence, flow) ||
    // Payment providers do not receive cards through a messenger.
    (isMessenger(flow.address) && carries(flow, TAINT.card | TAINT.password))
  const isTelling = marks.some((mark) => mark.isTelling === true)
  const isProven = fields.length > 0 && isCovert && isTelling && !isOffered(flow)
  if (isProven && weight >= WEIGHT_OF_CONCLUSIVE) return conclusive(found)
  return weight >= WEIGHT_OF_SUGGESTIVE ? suggestive(found) : null
}

/** What payment forms have no reason to do with a card. */
const WHEN_TAKEN = [
  'interval',
  'gate-address',
  'base64-encode',
  'personal-words',
  'devtools-words',
  'window-size',
]

/** Hosts of payment providers to which shops send cards by their own code. */
const PAYMENT_HOSTS =
  /(?:^|\.)(?:stripe|paypal|braintreegateway|braintree-api|adyen|adyenpayments|authorize|squareup|squareupsandbox|checkout|worldpay|cybersource|mollie|klarna|razorpay|payu|2checkout|cardconnect|spreedly|bluesnap|recurly|chargebee|mercadopago|mercadolibre|conekta|openpay|payfort|paystack|flutterwave|moip|pagseguro|pagar|ebanx|iyzipay|paymill|pin|ewaypayments|heartlandportico|globalpay|tokenex|basistheory|verygoodvault|evervault|elavon|payment-express|windcave|securepay|datatrans|saferpay|ingenico|wirecard|payone|computop|sagepay|opayo|realexpayments|paytrace|nmi|bambora|beanstream|moneris|cardinalcommerce|amazon|apple|google)\.(?:com|net|io|me|de|mx|au|br|ca|co\.uk|com\.au|com\.br|eu|live)$/u

/** A program among files that are mostly served; themes and modules of old shops have their own there. */
const FOLDER_OF_FILES =
  /\/(?:media|skin|images?|img|css|fonts?|thumbnail|pub\/static)\/[^?#]*\.(?:php\d?|phtml)(?:[?#]|$)/iu
/** A program among the pictures of products, or named like a picture: no shop has that. */
const AMONG_PICTURES = /\/media\/catalog\/|\.(?:gif|png|jpe?g|webp)\.(?:php\d?|phtml)(?:[?#]|$)/iu
/** A script that only loads another one needs no more tree nodes. */
const MAX_NODES_OF_LOADER = 1500

/** Events before a form is sent. */
const WHEN_SENT = /^(?:submit|click|mousedown|touchstart|touchend|formdata)$/u

/** Whether only the host is concealed, in a script that conceals nothing else. */
const isConcealedInPlain = (evidence: Evidence, flow: Flow): boolean =>
  !concealsAll(evidence) && isPutTogether(evidence, flow)

export const SKIMMING_RULES: readonly Rule[] = [
  {
    id: 'fields-harvested',
    head: 'magecart',
    description: 'takes form fields and sends them to another host',
    find: (evidence) => {
      const found = evidence.leaving
        .filter(
          (flow) =>
            carries(flow, TAINT.field | TAINT.card) &&
            flow.sink !== 'navigation' &&
            // A form of the page with another target is checked separately.
            flow.sink !== 'action' &&
            isToOther(evidence, flow),
        )
        .map((flow) => weighSkimming(evidence, flow))
      return found.find((one) => one?.strength === 'proof') ?? found.find((one) => one !== null) ?? null
    },
  },
  {
    id: 'card-leaves',
    head: 'magecart',
    description: 'sends what is typed into payment fields to another host in a way that no payment form uses',
    find: (evidence) => {
      const { corpus } = evidence.analysis
      const cards = evidence.leaving.filter(
        (flow) => carries(flow, TAINT.card) && ['image', 'script', 'socket', 'beacon'].includes(flow.sink),
      )
      if (!CARD_FIELDS.test(corpus)) return null
      const isProven = (flow: Flow): boolean => !isOffered(flow) && !asksForAnswer(flow, evidence)
      return conclusive(first(cards, isProven, describe)) ?? suggestive(first(cards, () => true, describe))
    },
  },
  {
    id: 'card-sent-elsewhere',
    head: 'magecart',
    description:
      'reads payment fields of the page when they are filled in or sent, and sends them to another host',
    find: (evidence) => {
      const cards = evidence.leaving.filter(
        (flow) =>
          carries(flow, TAINT.card) &&
          flow.sink !== 'navigation' &&
          flow.sink !== 'action' &&
          isToOther(evidence, flow),
      )
      const isUnusual = (flow: Flow): boolean =>
        (flow.on !== '' || evidence.has('interval')) &&
        !hasHost(flow.address, PAYMENT_HOSTS) &&
        (isSilent(flow, evidence) ||
          carries(flow, TAINT.storage | TAINT.place) ||
          isCopied(evidence, flow) ||
          // No provider takes card numbers in an address, which every server logs.
          (flow.addressTaint & TAINT.card) !== 0 ||
          WHEN_TAKEN.some((concept) => evidence.has(concept)))
      // A shop may send a card to its payment provider itself, and use the answer.
      const isAllowed = (flow: Flow): boolean => isOwnForm(evidence, flow) && !isUnlikeForms(evidence, flow)
      const unusual = cards.filter(isUnusual)
      const proven = first(unusual, (flow) => !isAllowed(flow), describe)
      // Of one flow, a second sign would decide.
      const isUnsigned = (flow: Flow): boolean => weighSkimming(evidence, flow) === null
      return conclusive(proven) ?? suggestive(first(unusual, isUnsigned, describe))
    },
  },
  {
    id: 'card-pattern-leaves',
    head: 'magecart',
    description: 'recognizes card numbers by a pattern and sends fields to another host',
    find: (evidence) =>
      evidence.has('card-pattern')
        ? suggestive(
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
    description: 'changes how forms are submitted and sends to another host',
    find: (evidence) => {
      const isPatched = /HTMLFormElement\.prototype\.(?:submit|requestSubmit)\s*=/u.test(
        evidence.analysis.corpus,
      )
      if (!isPatched) return null
      const elsewhere = evidence.leaving.filter((flow) => isToOther(evidence, flow))
      return (
        conclusive(first(elsewhere, (flow) => carries(flow, TAINT.field | TAINT.card), describe)) ??
        suggestive(first(elsewhere, () => true, describe))
      )
    },
  },
  {
    id: 'concealed-harvest',
    head: 'magecart',
    description: 'sends what is typed to another host whose name it conceals',
    find: (evidence) => {
      if (concealsAll(evidence)) return null
      const typed = evidence.leaving.filter(
        (flow) =>
          carries(flow, TAINT.field | TAINT.card | TAINT.password | TAINT.keys) &&
          isToOther(evidence, flow) &&
          isPutTogether(evidence, flow),
      )
      return (
        conclusive(first(typed, (flow) => !isOffered(flow), describe)) ??
        suggestive(first(typed, () => true, describe))
      )
    },
  },
  {
    id: 'form-exchanged',
    head: 'magecart',
    description: 'changes the target of a form of the page to another host',
    find: (evidence) => {
      const flows = evidence.leaving.filter((flow) => flow.sink === 'action' && isToOther(evidence, flow))
      const isRestored = evidence.analysis.observed.paths.has('<action restored>')
      // A button may send its form to a bank or a printer and restore the address; waiting until the form is sent
      // means hiding it.
      const isHidden = ({ on }: Flow): boolean => isRestored && /^(?:submit|formdata)$/u.test(on)
      return (
        conclusive(first(flows, (flow) => isHidden(flow) || isConcealedInPlain(evidence, flow), describe)) ??
        suggestive(first(flows, ({ on }) => isRestored || WHEN_SENT.test(on), describe))
      )
    },
  },
  {
    id: 'checkout-diverted',
    head: 'magecart',
    description: 'replaces what a button of the checkout does, and sends visitors to another host instead',
    find: (evidence) => {
      const { observed } = evidence.analysis
      if (!observed.paths.has('<handler replaced>') || !evidence.has('checkout-words')) return null
      const away = evidence.leaving.filter(
        (flow) =>
          flow.sink === 'navigation' && isToOther(evidence, flow) && !hasHost(flow.address, PAYMENT_HOSTS),
      )
      // A module of a payment provider does this at each order, and has no reason to encode what it passes on.
      const isOnce = observed.flows.some(({ sink }) => sink === 'storage') && evidence.has('base64-encode')
      return isOnce
        ? conclusive(first(away, () => true, describe))
        : suggestive(first(away, () => true, describe))
    },
  },
  {
    id: 'fields-by-peer',
    head: 'magecart',
    description: 'sends fields over a peer-to-peer connection, which no policy controls',
    find: (evidence) => {
      const { observed, corpus } = evidence.analysis
      if (!evidence.has('peer-connection')) return null
      const sent = observed.flows.filter(
        ({ sink, address, taint }) =>
          sink === 'socket' && address === '' && (taint & (TAINT.field | TAINT.card)) !== 0,
      )
      // Who works on a document together may name payment fields to leave them out.
      const isForCards = CARD_FIELDS.test(corpus) && !CHOOSES.test(corpus) && !/\breturn\b/u.test(corpus)
      return (
        conclusive(first(sent, (flow) => carries(flow, TAINT.card) || isForCards, describe)) ??
        suggestive(first(sent, () => true, describe))
      )
    },
  },
  {
    id: 'fields-in-host-name',
    head: 'magecart',
    description: 'puts what is typed into the name of a host, which its name server then reads',
    find: (evidence) => {
      const named = evidence.leaving.filter(
        ({ sink, nameTaint }) =>
          sink === 'image' && (nameTaint & (TAINT.field | TAINT.card | TAINT.password | TAINT.keys)) !== 0,
      )
      // A preview shows the picture whose address is typed; resolving a name alone shows nothing.
      const isResolvedOnly = /dns-prefetch|preconnect/u.test(evidence.analysis.corpus)
      const found = first(named, () => true, describe)
      return isResolvedOnly ? conclusive(found) : suggestive(found)
    },
  },
  {
    id: 'requests-copied',
    head: 'magecart',
    description: 'copies what the page sends with its own requests to another host',
    find: (evidence) => {
      const copies = evidence.leaving.filter(
        (flow) => carries(flow, TAINT.request) && flow.sink !== 'navigation' && isToOther(evidence, flow),
      )
      const found = first(copies, () => true, describe)
      // Monitors of requests send their addresses and durations, some also what is in them, by a request.
      const isOfPayment =
        evidence.has('card-words') || /payment|checkout|billing|\border\b/iu.test(evidence.analysis.corpus)
      const isCovert = copies.some((flow) => isSilent(flow, evidence)) && evidence.has('base64-encode')
      return isOfPayment && isCovert ? conclusive(found) : suggestive(found)
    },
  },
  {
    id: 'form-diverted',
    head: 'magecart',
    description: 'sends a form of the page to another host whose name it conceals',
    find: (evidence) =>
      !concealsAll(evidence)
        ? conclusive(
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
    description: 'loads a script on payment pages from a host whose name it conceals',
    find: (evidence) => {
      if (!evidence.has('checkout-words')) return null
      const loaded = evidence.leaving.filter(({ sink }) => sink === 'script' || sink === 'frame')
      const { shape, wholeShape } = evidence.analysis
      const isForPage = (flow: Flow): boolean =>
        (flow.under & TAINT.place) !== 0 && isToOther(evidence, flow) && isConcealed(evidence, flow)
      const isSmall = wholeShape.nodes < MAX_NODES_OF_LOADER
      if (shape.hexNames === 0)
        return (
          conclusive(first(loaded, (flow) => isPutTogether(evidence, flow), describe)) ??
          // In packed code. Old modules of shops are packed, too.
          suggestive(isSmall ? first(loaded, isForPage, describe) : null)
        )
      // Obfuscated as a whole, and small: nothing else is in it than this page's address and the script.
      return isSmall ? conclusive(first(loaded, isForPage, describe)) : null
    },
  },
  {
    id: 'fields-to-files',
    head: 'magecart',
    description: 'sends fields to a program in a folder of the site that is for images or other files',
    find: (evidence) => {
      const sent = evidence.analysis.observed.flows.filter(
        ({ sink, address, taint }) =>
          LEAVING_SINKS.has(sink) &&
          sink !== 'navigation' &&
          (taint & (TAINT.field | TAINT.card)) !== 0 &&
          FOLDER_OF_FILES.test(address),
      )
      const isOfPayment = evidence.has('checkout-words') || evidence.has('card-words')
      const isProven = (flow: Flow): boolean =>
        isOfPayment &&
        (carries(flow, TAINT.card) || isPutTogether(evidence, flow) || AMONG_PICTURES.test(flow.address))
      return conclusive(first(sent, isProven, describe)) ?? suggestive(first(sent, () => true, describe))
    },
  },
  {
    id: 'skimmer-kit',
    head: 'magecart',
    description: 'contains words of a known skimming kit',
    find: ({ analysis: { corpus } }) =>
      suggestive(
        matchOf(
          /ant_cockroach|grelos_v|magentocore\.(?:net|su)|\bjs_?skimmer\b|ATMZOW|statistika\.js|jquery_?cdn\.top/u,
          corpus,
        ),
      ),
  },
]
