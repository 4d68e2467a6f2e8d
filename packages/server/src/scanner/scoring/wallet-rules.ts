// Scripts that are after other money: they exchange the wallet that somebody pays to, change what a wallet is asked to sign, or take its keys.
import { carries, describe, type Evidence, first, isToOther, proof, type Rule, sign } from './evidence.ts'
import { TAINT } from './values.ts'
import { WALLET_ADDRESS } from './wallets.ts'

/** Expressions by which addresses of wallets are told from other texts. */
const WALLET_PATTERN =
  /0x\[[\da-fA-F-]{3,12}\]\{40\}|\[13\]\[[\w-]{6,30}\]\{2\d,|\(?\^?\(?bc1(?=[([?|\\])|\[13\]\||\bT\[[\w-]{6,30}\]\{3[23]|\[LM3?\]\[|4\[0-9AB\]/u
/** What gives somebody else all of a token. */
const APPROVALS =
  /\bsetApprovalForAll\b|\bincreaseAllowance\b|\bMaxUint256\b|11579208923731619542357098500868790785326998466|\beth_signTypedData|\bpermit2?\b/iu
const SEED = /mnemonic|seed.?phrase|private.?key|keystore|vault/iu
const MAX_ADDRESS = 110
/** Who asks for words alone needs no more nodes of a tree. */
const MAX_NODES_OF_PHISHER = 300

/** Addresses of wallets that the script names. */
function walletsIn({ analysis: { observed } }: Evidence): readonly string[] {
  const found = new Set<string>()
  for (const texts of [observed.texts, observed.decoded]) {
    for (const text of texts) if (text.length <= MAX_ADDRESS && WALLET_ADDRESS.test(text)) found.add(text)
  }
  return [...found]
}

const tellsWallets = ({ analysis: { corpus } }: Evidence): boolean => WALLET_PATTERN.test(corpus)
const sees = ({ analysis: { observed } }: Evidence, path: string): boolean => observed.paths.has(path)

export const WALLET_RULES: readonly Rule[] = [
  {
    id: 'address-exchanged',
    head: 'malware',
    says: 'puts another wallet in the place of one that is copied, pasted or shown',
    find: (evidence) => {
      const { flows } = evidence.analysis.observed
      const copied = flows.find(({ sink, address }) => sink === 'clipboard' && WALLET_ADDRESS.test(address))
      // Whoever gives an address away at a click of a button asks for gifts.
      const isUnasked =
        copied !== undefined &&
        (/^(?:copy|cut|paste|selectionchange|focus|visibilitychange)$/u.test(copied.on) ||
          (copied.under & TAINT.clipboard) !== 0)
      const [wallet = null] = walletsIn(evidence)
      if (isUnasked) return proof(copied.address)
      if (!tellsWallets(evidence)) return null
      if (sees(evidence, '<wallet replaced>')) return proof(wallet)
      // What is put there was cut out of a longer text.
      const isOfCopies = flows.some(({ sink, on }) => sink === 'clipboard' && on === 'copy')
      if (isOfCopies) return proof(WALLET_PATTERN.exec(evidence.analysis.corpus)?.[0] ?? null)
      // A shop shows where to pay to, and checks where to pay back to.
      if (copied !== undefined && copied.on === '') return sign(copied.address)
      return sees(evidence, '<wallet exchanged>') ? sign(wallet) : null
    },
  },
  {
    id: 'wallet-diverted',
    head: 'malware',
    says: 'puts itself between the page and a wallet, and names a wallet of its own',
    find: (evidence) => {
      const wallets = walletsIn(evidence)
      const [wallet = null] = wallets
      if (sees(evidence, '<wallet patched>')) return proof(wallet)
      return sees(evidence, '<request patched>') && tellsWallets(evidence) && wallets.length > 0
        ? sign(wallet)
        : null
    },
  },
  {
    id: 'wallet-emptied',
    head: 'malware',
    says: 'has a wallet give somebody all of a token, and tells another host of it',
    find: (evidence) => {
      const { corpus } = evidence.analysis
      const isAsked =
        sees(evidence, '.request') || sees(evidence, '.getSigner') || sees(evidence, '.sendTransaction')
      // All that there is, to somebody whom the script names.
      const isBalance =
        /eth_getBalance|\.getBalance\b/u.test(corpus) &&
        /eth_sendTransaction|\.sendTransaction\b/u.test(corpus) &&
        walletsIn(evidence).length > 0
      if (!isAsked || (!APPROVALS.test(corpus) && !isBalance)) return null
      const told = first(
        evidence.leaving,
        (flow) => flow.sink !== 'navigation' && isToOther(evidence, flow),
        describe,
      )
      const isToMessenger = evidence.leaving.some(({ address }) =>
        /api\.telegram\.org\/bot|\/api\/webhooks\//u.test(address),
      )
      return isToMessenger ? proof(told) : sign(told)
    },
  },
  {
    id: 'wallet-words-leave',
    head: 'malware',
    says: 'asks for the words of a wallet and sends fields to another host',
    find: (evidence) => {
      const asked = /seed[ -]?phrase|mnemonic|recovery phrase/iu.exec(evidence.analysis.corpus)?.[0]
      const flow = evidence.leaving.find((one) => carries(one, TAINT.field) && isToOther(evidence, one))
      if (asked === undefined || flow === undefined) return null
      const found = `${asked}, ${flow.address.slice(0, 120)}`
      // A wallet's own program does more than that.
      const isWallet = evidence.has('wasm') || evidence.has('exports') || sees(evidence, '.getSigner')
      // A large program may warn of it, and have a form for messages besides.
      return isWallet || evidence.analysis.shape.nodes >= MAX_NODES_OF_PHISHER ? sign(found) : proof(found)
    },
  },
  {
    id: 'wallet-keys-leave',
    head: 'malware',
    says: 'looks for keys of wallets in what the browser keeps, and sends it to another host',
    find: (evidence) =>
      SEED.test(evidence.analysis.corpus) && /wallet|seed|mnemonic/iu.test(evidence.analysis.corpus)
        ? sign(
            first(
              evidence.leaving,
              (flow) => carries(flow, TAINT.storage) && isToOther(evidence, flow),
              describe,
            ),
          )
        : null,
  },
]
