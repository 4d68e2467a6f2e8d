// Theft of cryptocurrency: scripts that replace a wallet address, change what a wallet is asked to sign, or steal its
// keys.
import {
  carries,
  describe,
  type Evidence,
  first,
  isToOther,
  leavesCalls,
  matchOf,
  conclusive,
  type Rule,
  suggestive,
} from './evidence.ts'
import { isMessenger } from './origins.ts'
import { plainNodes } from './shape.ts'
import { TAINT } from './values.ts'
import { isWalletAddress } from './wallets.ts'

/** Expressions that match wallet addresses. */
const WALLET_PATTERN =
  /0x\[[\da-fA-F-]{3,12}\]\{40\}|\[13\]\[[\w-]{6,30}\]\{2\d,|\(?\^?\(?bc1(?=[([?|\\])|\[13\]\||\bT\[[\w-]{6,30}\]\{3[23]|\[LM3?\]\[|4\[0-9AB\]/u
/** Calls that allow another account to spend a token. */
const APPROVALS =
  /\bsetApprovalForAll\b|\bincreaseAllowance\b|\bMaxUint256\b|11579208923731619542357098500868790785326998466|\beth_sign(?:TypedData\w{0,3})?\b|\bpermit2?\b|0x(?:095ea7b3|a22cb465|d505accf|39509351)/iu
/** Selectors of contract calls that a script writes into a transaction itself: approve, transfer, permit and so on. */
const RAW_CALLS = /0x(?:095ea7b3|a9059cbb|23b872dd|d505accf|a22cb465|39509351|42842e0e|2b67b570|36c78516)/iu
const RAW_APPROVALS = /0x(?:095ea7b3|d505accf|a22cb465|39509351|2b67b570)/iu
/** Calls of token contracts by name, on a contract that a library wraps. */
const NAMED_CALLS =
  /\.(?:approve|transfer|transferFrom|safeTransferFrom|permit|setApprovalForAll|increaseAllowance|increaseApproval)\s*\(|\bcreateTransfer(?:Checked)?Instruction\s*\(/u
const SENDS_TRANSACTION =
  /eth_sendTransaction|\bsendTransaction\b|\bsignAndSendTransaction\b|\bsendRawTransaction\b|\bsendTransactionAsync\b|\.send\s*\(\s*\{\s*from|eth_signTypedData|_signTypedData|triggerSmartContract|\bwriteContract\b|\bsendBitcoin\b|\.connect\s*\(\s*\w*[sS]igner/u
const CONNECTS =
  /eth_requestAccounts|\.getSigner\b|tron_requestAccounts|solana\.connect|getAccounts\b|connectWallet/u
/** The same with the options of a wallet, or by a contract that was made with a wallet. */
const SENDS_WITH_SIGNER =
  /\.send\s*\(\s*\{\s*(?:from|feeLimit|callValue|shouldPoll)|tronWeb[\s\S]{0,600}\.send\s*\(|getSigner[\s\S]{0,600}\bContract\s*\(|Contract\s*\([^;]{0,300}[sS]igner|\bwriteContract\s*\(/u
/** An amount that no visitor has: the largest number of a contract, or at least a million million. */
const UNLIMITED =
  /MaxUint256|MAX_UINT|maxUint(?:256|160)|1n?\s{0,5}<<\s{0,5}(?:160|256)n|2n\s{0,5}\*\*\s{0,5}(?:160|256)n|(?:0x|\b)[fF]{30,}|["'`][fF]["'`]\.repeat\(6\d\)|11579208923731619542\d*|["'`]\d{13,}["'`]|\b\d{16,}\b|\b1e(?:1[3-9]|[2-9]\d)\b/u
const SIGNS_TYPED = /eth_signTypedData|[sS]ignTypedData/u
/** Types of the messages by which a token or its proxy learns who may spend it. */
const PERMITS =
  /["'`]Permit(?:Batch|Single|2|TransferFrom|BatchTransferFrom)?["'`]|\bPermit(?:Batch|Single)?\s{0,5}:\s{0,5}\[/u
const REQUESTS = new Set(['fetch', 'xhr', 'ajax', 'beacon'])
const APPROVES = /\.(?:approve|increaseApproval|increaseAllowance|setApprovalForAll|permit)\(/u
/** What is left of a balance after the price of the transaction. */
export const BALANCE_LESS_GAS =
  /balance\w{0,40}\)?\s{0,20}(?:-|\.(?:sub|minus)\s{0,20}\()|(?:sub|minus)\(\s{0,20}\w{0,40}(?:gas|fee)|\(\s{0,20}\w{0,40}[bB]alance\w{0,40}\s{0,20}-|\b[bB]al\w{0,40}\s{0,20}-\s{0,20}\w{0,40}(?:[gG]as|[fF]ee|[cC]ost)|\blamports\s{0,5}:\s{0,5}\w{0,40}\s{0,5}-|\bBigInt\(\s{0,20}\w{1,40}\s{0,20}\)\s{0,20}-|\bsendBitcoin\([^,()]{1,80},\s{0,20}[\w.]{1,40}\s{0,20}-/u
/** A transaction of TON, which has a list of messages with amounts. */
const OF_TON = /\bvalidUntil\b[\s\S]{0,600}\bmessages\b|\bmessages\b[\s\S]{0,600}\bvalidUntil\b/u
/** An amount that is a name, and what is subtracted from. */
const AMOUNT_OF_TON = /\bamount["']?\s{0,5}:\s{0,5}(?:(?:String|BigInt)\(\s{0,5})?([\w$]{1,60})(\s{0,5}-)?/gu
const STAKES = /\b(?:un)?stak(?:e|ing)|\bswap|\bbridge|\bdeposit|\bpool\b/iu

const MAX_AMOUNTS = 20

/** Whether the amount of a message of TON is what is left of something. */
const sendsRestOfTon = (code: string): boolean =>
  !STAKES.test(code) &&
  Array.from(code.matchAll(AMOUNT_OF_TON))
    .slice(0, MAX_AMOUNTS)
    .some(
      ([, name = '', minus]) =>
        minus !== undefined ||
        (/^[a-z_$]/iu.test(name) &&
          new RegExp(`(?:^|[^\\w$.])${name.replaceAll('$', '\\$')}\\s{0,5}=[^;=\\n]{0,80}-`, 'u').test(code)),
    )
/** Services that list all tokens of an account. */
const LISTS_TOKENS =
  /deep-index\.moralis\.io|\/erc20\?chain=|alchemy_getTokenBalances|getTokenBalances|covalenthq\.com|api\.covalent|openapi\.debank|pro-openapi\.debank|api\.zapper|api\.opensea\.io\/api\/v\d\/assets|apilist\.tronscan|getTokenAccountsByOwner|getParsedTokenAccountsByOwner|api\.ethplorer\.io|getERC20s?\b/u
const BALANCES = /\bbalanceOf\b|\bbalance\b|\btokenAmount\b/u
/** Contracts of well-known tokens, which are no account of the script's author. */
const TOKENS: ReadonlySet<string> = new Set([
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0x6b175474e89094c44da98b954eedeac495271d0f',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
  '0x55d398326f99059ff775485246999027b3197955',
  '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
  '0xe9e7cea3dedca5984780bafc599bd69add087d56',
  '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
  '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  '0x0000000000000000000000000000000000000000',
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
])
/** Contracts of well-known exchanges, which pages of their own and of others ask to approve. */
const EXCHANGES: ReadonlySet<string> = new Set([
  '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
  '0xe592427a0aece92de3edee1f18e0157c05861564',
  '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
  '0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f',
  '0x10ed43c718714eb63d5aa57b78b54704e256024e',
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0x1111111254eeb25477b68fb85ed929f73a960582',
  '0x1e0049783f008a0085193e00003d00cd54003c71',
])
/** A page that only takes approvals has no contract of its own to call. Lists and texts have the last of these names, too. */
const OWN_CONTRACT =
  /\.(?:deposit(?:For)?|stake|unstake|swap\w{0,40}|mint|claimRewards|withdraw|addLiquidity|safeMint|buy(?:Tokens?)?|supply|borrow|repay|lend|bridge|zap\w{0,20}|purchase)\s{0,20}\(|await\s{1,9}[\w$.]{1,80}\.(?:lock|join|wrap|subscribe|register|fill|execute)\s{0,20}\(/iu
const MAX_NODES_OF_DRAINER = 10_000
const SEED = /mnemonic|seed.?phrase|private.?key|keystore|vault/iu
const MAX_ADDRESS = 110
/** A script that only asks for seed words needs no more tree nodes. */
const MAX_NODES_OF_PHISHER = 300

/** Wallet addresses in the script. */
function walletsIn({ analysis: { observed } }: Evidence): readonly string[] {
  const found = new Set<string>()
  for (const strings of [observed.texts, observed.decoded]) {
    for (const text of strings) if (text.length <= MAX_ADDRESS && isWalletAddress(text)) found.add(text)
  }
  return [...found]
}

/** Accounts that belong neither to the visitor nor to a known token. */
const ownAccount = (evidence: Evidence): string | undefined =>
  walletsIn(evidence).find((one) => !isKnown(one)) ??
  TO_KEY.exec(evidence.analysis.corpus)?.[0] ??
  Array.from(evidence.analysis.corpus.matchAll(IN_CALL), ([, digits]) => `0x${digits}`).find(
    (one) => !isKnown(one),
  )

const isKnown = (account: string): boolean =>
  TOKENS.has(account) || TOKENS.has(account.toLowerCase()) || EXCHANGES.has(account.toLowerCase())

/** The recipient of a transfer, written into the script. */
const TO_KEY = /\btoPubkey\s{0,5}:[^,}]{0,60}["'`][1-9A-HJ-NP-Za-km-z]{32,44}["'`]/u

/** The account in a call that a script has written out: its selector, and an address with zeros before it. */
const IN_CALL = /0x(?:095ea7b3|a22cb465|39509351)0{24}([\da-f]{40})/giu
/** All pieces of a collection. */
const APPROVES_ALL = /\.setApprovalForAll\([^()]{0,120},\s{0,5}(?:true|!0)\s{0,5}\)/u

const MEMBER = /^[a-z]\w{3,40}$/iu
/** Some libraries have the name of the call of a contract as an option. */
const FUNCTION_NAME = /\b(?:functionName["']?\s{0,5}:|getFunction\()\s{0,5}["'`](\w{3,40})["'`(]/gu
const OPTIONS_OF_SENDER = /\(\s*\{\s*["']?from["']?\s*:/u
const codes = new WeakMap<Evidence, string>()

/** The script, with its calls by name even if the names are encoded. */
function codeOf(evidence: Evidence): string {
  const known = codes.get(evidence)
  if (known !== undefined) return known
  const { corpus, observed, wholeShape } = evidence.analysis
  const calls = [...observed.paths.keys()].flatMap((path) => (path.startsWith('.') ? [`${path}(`] : []))
  const made = [...observed.performed].flatMap((name) => (SPENDING_CALLS.test(name) ? [`.${name}(`] : []))
  // Obfuscated names of members are texts; not all code that has them is reached.
  const { hexNames, computedMembers, members: all } = wholeShape
  const isHidden = hexNames > 0 || computedMembers * 2 > all
  const names = isHidden ? [...observed.texts, ...observed.decoded] : []
  const members = names.flatMap((name) => (MEMBER.test(name) ? [`.${name}(`] : []))
  // The name of the call is hidden, those of its options are not.
  const sent = members.includes('.send(') && OPTIONS_OF_SENDER.test(corpus) ? ['.send({from'] : []
  const named = Array.from(corpus.matchAll(FUNCTION_NAME), ([, name]) => `.${name}(`)
  const code = [corpus, ...calls, ...made, ...members, ...sent, ...named].join('\n')
  codes.set(evidence, code)
  return code
}

const GIVES_AWAY = /\.(?:transfer|safeTransferFrom|transferFrom)\s{0,5}\(/u

/** Whether a server of another host may tell which tokens are given away. */
const isListedElsewhere = (evidence: Evidence, code: string): boolean =>
  GIVES_AWAY.test(code) &&
  /getSigner|[sS]igner\b/u.test(code) &&
  evidence.leaving.some((flow) => REQUESTS.has(flow.sink) && isToOther(evidence, flow))

/** Whether the script also calls the contract for which it asks approval. */
function callsSpender(code: string): boolean {
  const spender = /\.approve\(\s{0,20}([a-z_$][\w$]{0,40})/iu.exec(code)?.[1]
  return spender !== undefined && code.includes(`Contract(${spender},`)
}

/** Calls that give tokens or rights away, and methods of a wallet that do. */
const SPENDING_CALLS =
  /^(?:approve|increase(?:Approval|Allowance)|setApprovalForAll|permit\w*|(?:safeT|t)ransfer(?:From)?|(?:signAndS|s)endTransaction\w*|sendRawTransaction|sendBitcoin|writeContract|triggerSmartContract|_?signTypedData\w*|eth_send\w*|eth_signTypedData\w*)$/u

const isOfLibrary = (evidence: Evidence): boolean => leavesCalls(evidence, SPENDING_CALLS)

/** A wallet's own program and a library have many more. */
const isSmall = ({ analysis: { wholeShape } }: Evidence): boolean =>
  plainNodes(wholeShape) < MAX_NODES_OF_DRAINER

const reportsWallets = ({ analysis: { corpus } }: Evidence): boolean => WALLET_PATTERN.test(corpus)
const sees = ({ analysis: { observed } }: Evidence, path: string): boolean => observed.paths.has(path)

/** A field of the page; answers of ledgers have values, too. */
const READS_AMOUNT = /(?:querySelector|getElementById)\([^()]{1,80}\)\??\.value\b|\btarget\.value\b/u

/** Transactions that are sent as they were signed are serialized, too, like forms. */
const readsFields = (evidence: Evidence): boolean =>
  evidence.has('field-values') &&
  (!sees(evidence, '.serialize') ||
    sees(evidence, '.value') ||
    sees(evidence, '.val') ||
    !/\bsendRawTransaction\b|solana/iu.test(evidence.analysis.corpus))

const REQUEST_PATHS = [
  '.request',
  '.getSigner',
  '.sendTransaction',
  '.signAndSendTransaction',
  '.requestAccounts',
  '.writeContract',
]

export const WALLET_RULES: readonly Rule[] = [
  {
    id: 'address-exchanged',
    head: 'malware',
    description: 'replaces a wallet address that is copied, pasted or shown',
    find: (evidence) => {
      const { flows } = evidence.analysis.observed
      const copied = flows.find(({ sink, address }) => sink === 'clipboard' && isWalletAddress(address))
      // A script that copies an address when a button is clicked asks for donations.
      const isUnasked =
        copied !== undefined &&
        (/^(?:copy|cut|paste|selectionchange|focus|visibilitychange)$/u.test(copied.on) ||
          (copied.under & TAINT.clipboard) !== 0)
      const [wallet = null] = walletsIn(evidence)
      if (isUnasked) return conclusive(copied.address)
      if (!reportsWallets(evidence)) return null
      // What is copied depends on what was there before, and no button was pressed for it.
      const isChecked = flows.some(
        ({ sink, on, under }) => sink === 'clipboard' && on !== 'click' && (under & TAINT.clipboard) !== 0,
      )
      if (isChecked && wallet !== null) return conclusive(wallet)
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
      const isAsked = REQUEST_PATHS.some((path) => sees(evidence, path))
      // The whole balance, to an account named in the script.
      const isBalance =
        /eth_getBalance|\.getBalance\b/u.test(corpus) &&
        /eth_sendTransaction|\.sendTransaction\b/u.test(corpus) &&
        (walletsIn(evidence).length > 0 || evidence.leaving.some(({ address }) => isMessenger(address)))
      if (!isAsked || (!APPROVALS.test(corpus) && !isBalance)) return null
      const reported = first(
        evidence.leaving,
        (flow) => flow.sink !== 'navigation' && isToOther(evidence, flow),
        describe,
      )
      const isToMessenger = evidence.leaving.some(({ address }) => isMessenger(address))
      return isToMessenger ? conclusive(reported) : suggestive(reported)
    },
  },
  {
    id: 'wallet-spent',
    head: 'malware',
    description:
      "asks the visitor's wallet to give tokens, or the right to spend them, to an account named in the script",
    find: (evidence) => {
      const code = codeOf(evidence)
      const account = ownAccount(evidence)
      if (!isSmall(evidence)) return null
      const isUnasked = !OWN_CONTRACT.test(code) && !callsSpender(code) && !readsFields(evidence)
      const isUnlimited =
        UNLIMITED.test(code) &&
        (APPROVES.test(code) || RAW_APPROVALS.test(code)) &&
        (SENDS_WITH_SIGNER.test(code) || SENDS_TRANSACTION.test(code))
      if (account === undefined)
        // A server may name the account.
        return (isUnlimited || isListedElsewhere(evidence, code)) && isUnasked
          ? suggestive(matchOf(APPROVES, code) ?? matchOf(RAW_APPROVALS, code) ?? matchOf(GIVES_AWAY, code))
          : null
      if (isUnlimited && isUnasked && !isOfLibrary(evidence)) return conclusive(account)
      // A market asks for it, too, before it lists a piece.
      if (!SENDS_TRANSACTION.test(code))
        return SENDS_WITH_SIGNER.test(code) && isUnasked ? suggestive(matchOf(APPROVES_ALL, code)) : null
      if (!(RAW_CALLS.test(code) || NAMED_CALLS.test(code) || APPROVALS.test(code))) return null
      // Amounts that the visitor does not type, in a script that has no contract to call afterwards.
      const isBare = CONNECTS.test(code) && isUnasked
      return isBare && RAW_APPROVALS.test(code) ? conclusive(account) : suggestive(account)
    },
  },
  {
    id: 'wallet-balance-sent',
    head: 'malware',
    description: "sends the whole balance of the visitor's wallet to an account named in the script",
    find: (evidence) => {
      const code = codeOf(evidence)
      const account = ownAccount(evidence)
      const isOfTon = OF_TON.test(code) && BALANCES.test(code)
      const isAll =
        SENDS_TRANSACTION.test(code) &&
        (isOfTon ||
          (/eth_getBalance|\.getBalance\b/u.test(code) &&
            /gas_?price|gas_?limit|lamports|sendBitcoin|estimateGas|\b21_?000n?\b|0x5208\b/iu.test(code)))
      if (!isAll || !isSmall(evidence) || readsFields(evidence)) return null
      const isLess = isOfTon ? sendsRestOfTon(code) : BALANCE_LESS_GAS.test(code)
      const isRest = isLess && !isOfLibrary(evidence) && !OWN_CONTRACT.test(code)
      // A sale looks at the balance, too, and sends its price.
      if (!isRest && /\bsendRawTransaction\b/u.test(code)) return null
      if (account === undefined) return isRest ? suggestive(matchOf(BALANCE_LESS_GAS, code)) : null
      return isRest ? conclusive(account) : suggestive(account)
    },
  },
  {
    id: 'wallet-signed-away',
    head: 'malware',
    description:
      'asks the wallet to sign a permit for more than anyone has, and sends the signature to another host',
    find: (evidence) => {
      const code = codeOf(evidence)
      if (!SIGNS_TYPED.test(code) || !PERMITS.test(code) || !isSmall(evidence)) return null
      if (OWN_CONTRACT.test(code) || readsFields(evidence) || isOfLibrary(evidence)) return null
      const sent = first(
        evidence.leaving,
        (flow) => REQUESTS.has(flow.sink) && isToOther(evidence, flow),
        describe,
      )
      return UNLIMITED.test(code) ? conclusive(sent) : suggestive(sent)
    },
  },
  {
    id: 'wallet-swept',
    head: 'malware',
    description: 'lists all tokens of a wallet and asks it to give each of them away',
    find: (evidence) => {
      const code = codeOf(evidence)
      const listed = LISTS_TOKENS.exec(code)?.[0] ?? null
      if (listed === null || !SENDS_TRANSACTION.test(code) || !BALANCES.test(code)) return null
      if (!NAMED_CALLS.test(code) && !RAW_CALLS.test(code) && !APPROVALS.test(code)) return null
      // A wallet's own program lists tokens and sends them when it is asked to.
      const isUnasked = !OWN_CONTRACT.test(code) && !(listed.endsWith('ByOwner') && READS_AMOUNT.test(code))
      return isSmall(evidence) && isUnasked ? conclusive(listed) : suggestive(listed)
    },
  },
  {
    id: 'wallet-words-leave',
    head: 'malware',
    description: 'asks for the seed words of a wallet and sends fields to another host',
    find: (evidence) => {
      const phrase = /seed[ -]?phrase|mnemonic|recovery phrase/iu.exec(evidence.analysis.corpus)?.[0]
      const flows = evidence.leaving.filter((one) => carries(one, TAINT.field) && isToOther(evidence, one))
      const flow = flows.find(({ isUncalled }) => !isUncalled) ?? flows[0]
      if (phrase === undefined || flow === undefined) return null
      const found = `${phrase}, ${flow.address.slice(0, 120)}`
      // A wallet's own program does more than that.
      const isLibrary = evidence.has('exports') && flow.isUncalled
      const isWallet = evidence.has('wasm') || isLibrary || sees(evidence, '.getSigner')
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
