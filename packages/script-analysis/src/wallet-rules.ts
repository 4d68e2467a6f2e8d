// Theft of cryptocurrency: scripts that replace a wallet address, change what a wallet is asked to sign, or steal its
// keys.
import {
  carries,
  describe,
  type Evidence,
  first,
  isToOther,
  conclusive,
  type Rule,
  suggestive,
} from './evidence.ts'
import { TAINT } from './values.ts'
import { WALLET_ADDRESS } from './wallets.ts'

/** Expressions that match wallet addresses. */
const WALLET_PATTERN =
  /0x\[[\da-fA-F-]{3,12}\]\{40\}|\[13\]\[[\w-]{6,30}\]\{2\d,|\(?\^?\(?bc1(?=[([?|\\])|\[13\]\||\bT\[[\w-]{6,30}\]\{3[23]|\[LM3?\]\[|4\[0-9AB\]/u
/** Calls that allow another account to spend a token. */
const APPROVALS =
  /\bsetApprovalForAll\b|\bincreaseAllowance\b|\bMaxUint256\b|11579208923731619542357098500868790785326998466|\beth_signTypedData|\bpermit2?\b/iu
const SEED = /mnemonic|seed.?phrase|private.?key|keystore|vault/iu
const MAX_ADDRESS = 110
/** A script that only asks for seed words needs no more tree nodes. */
const MAX_NODES_OF_PHISHER = 300

/** Wallet addresses in the script. */
function walletsIn({ analysis: { observed } }: Evidence): readonly string[] {
  const found = new Set<string>()
  for (const strings of [observed.texts, observed.decoded]) {
    for (const text of strings) if (text.length <= MAX_ADDRESS && WALLET_ADDRESS.test(text)) found.add(text)
  }
  return [...found]
}

const reportsWallets = ({ analysis: { corpus } }: Evidence): boolean => WALLET_PATTERN.test(corpus)
const sees = ({ analysis: { observed } }: Evidence, path: string): boolean => observed.paths.has(path)

export const WALLET_RULES: readonly Rule[] = [
  {
    id: 'address-exchanged',
    head: 'malware',
    description: 'replaces a wallet address that is copied, pasted or shown',
    find: (evidence) => {
      const { flows } = evidence.analysis.observed
      const copied = flows.find(({ sink, address }) => sink === 'clipboard' && WALLET_ADDRESS.test(address))
      // A script that copies an address when a button is clicked asks for donations.
      const isUnasked =
        copied !== undefined &&
        (/^(?:copy|cut|paste|selectionchange|focus|visibilitychange)$/u.test(copied.on) ||
          (copied.under & TAINT.clipboard) !== 0)
      const [wallet = null] = walletsIn(evidence)
      if (isUnasked) return conclusive(copied.address)
      if (!reportsWallets(evidence)) return null
      if (sees(evidence, '<wallet replaced>')) return conclusive(wallet)
      // The copied value was cut out of a longer text.
      const isOfCopies = flows.some(({ sink, on }) => sink === 'clipboard' && on === 'copy')
      if (isOfCopies) return conclusive(WALLET_PATTERN.exec(evidence.analysis.corpus)?.[0] ?? null)
      // A shop shows where to pay, and checks the address for refunds.
      if (copied !== undefined && copied.on === '') return suggestive(copied.address)
      return sees(evidence, '<wallet exchanged>') ? suggestive(wallet) : null
    },
  },
  {
    id: 'wallet-diverted',
    head: 'malware',
    description: 'intercepts calls from the page to a wallet, and names its own wallet address',
    find: (evidence) => {
      const wallets = walletsIn(evidence)
      const [wallet = null] = wallets
      if (sees(evidence, '<wallet patched>')) return conclusive(wallet)
      return sees(evidence, '<request patched>') && reportsWallets(evidence) && wallets.length > 0
        ? suggestive(wallet)
        : null
    },
  },
  {
    id: 'wallet-emptied',
    head: 'malware',
    description: 'makes a wallet approve all of a token for another account, and reports it to another host',
    find: (evidence) => {
      const { corpus } = evidence.analysis
      const isAsked =
        sees(evidence, '.request') || sees(evidence, '.getSigner') || sees(evidence, '.sendTransaction')
      // The whole balance, to an account named in the script.
      const isBalance =
        /eth_getBalance|\.getBalance\b/u.test(corpus) &&
        /eth_sendTransaction|\.sendTransaction\b/u.test(corpus) &&
        walletsIn(evidence).length > 0
      if (!isAsked || (!APPROVALS.test(corpus) && !isBalance)) return null
      const reported = first(
        evidence.leaving,
        (flow) => flow.sink !== 'navigation' && isToOther(evidence, flow),
        describe,
      )
      const isToMessenger = evidence.leaving.some(({ address }) =>
        /api\.telegram\.org\/bot|\/api\/webhooks\//u.test(address),
      )
      return isToMessenger ? conclusive(reported) : suggestive(reported)
    },
  },
  {
    id: 'wallet-words-leave',
    head: 'malware',
    description: 'asks for the seed words of a wallet and sends fields to another host',
    find: (evidence) => {
      const phrase = /seed[ -]?phrase|mnemonic|recovery phrase/iu.exec(evidence.analysis.corpus)?.[0]
      const flow = evidence.leaving.find((one) => carries(one, TAINT.field) && isToOther(evidence, one))
      if (phrase === undefined || flow === undefined) return null
      const found = `${phrase}, ${flow.address.slice(0, 120)}`
      // A wallet's own program does more than that.
      const isWallet = evidence.has('wasm') || evidence.has('exports') || sees(evidence, '.getSigner')
      // A large program may warn about it, and also have a contact form.
      return isWallet || evidence.analysis.shape.nodes >= MAX_NODES_OF_PHISHER
        ? suggestive(found)
        : conclusive(found)
    },
  },
  {
    id: 'wallet-keys-leave',
    head: 'malware',
    description: 'searches the browser storage for wallet keys, and sends it to another host',
    find: (evidence) =>
      SEED.test(evidence.analysis.corpus) && /wallet|seed|mnemonic/iu.test(evidence.analysis.corpus)
        ? suggestive(
            first(
              evidence.leaving,
              (flow) => carries(flow, TAINT.storage) && isToOther(evidence, flow),
              describe,
            ),
          )
        : null,
  },
]
