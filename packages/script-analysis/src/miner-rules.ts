// Mining: scripts that use the visitor's processor.
import { type Evidence, first, matchOf, conclusive, type Rule, suggestive } from './evidence.ts'

const KITS =
  'Coin[Hh]ive|CryptoLoot|CRLT|[dD]eepMiner|Client|CoinI(?:mp|MP)|PerfektStart|JSECoin|[pP]roject[pP]oi|[mM]inero|WMP|WPMonero|CryptoNoter|AuthedMine|Mineralt|Webminer|CoinNebula|EverythingIsLife|NFMiner|BatMine|Monerise\\w*|PPoi'
const KIT_CALLED = new RegExp(
  String.raw`^(?:new )?(?:${KITS})\.(?:Anonymous|User|Token|Init)(?:\(\))?$|^WMP\.init\(\)$|^(?:PerfektStart|EverythingIsLife|deepMiner\.Init)\(\)$`,
  'u',
)
const KIT_WRITTEN = new RegExp(
  String.raw`\bnew\s+(?:window\s*\.\s*)?(?:${KITS})\s*(?:\.|\[\s*["'])\s*(?:Anonymous|Token)(?:["']\s*\])?\s*\(|\b(?:CoinHive|CryptoLoot|CRLT|deepMiner)\s*\.\s*(?:User|Anonymous|Token|Init)\s*\(|\b(?:PerfektStart|EverythingIsLife|webmr_start|monerise_payment_address|processTrack_miner|JSEMine\w*)\s*[(=]`,
  'u',
)
/** Loaders of miners rename the kit each time; the objects it creates keep their names. */
const RENAMED_KIT =
  /\bnew\s+(?:[\w$]+\s*\.\s*)?[\w$]{1,12}\s*(?:\.|\[\s*["'])\s*Anonymous(?:["']\s*\])?\s*\(/u
const MINER_CODE = /\b(?:startMining|webmr_start)\s*\(|_hash_cn\b|cryptonight_(?:create|hash|destroy)/u
const HOSTS =
  /\b(?:coinhive-(?:miner|captcha)\b|coin-?hive\.(?:com|min)|coinhive\b[\w.-]*\.js|authedmine\.(?:com|min)|cnhv\.co|crypto-?loot\.(?:com|pro)|cryptaloot\.pro|webmine(?:pool)?\.(?:com|cz|pro)|coin-?imp\.com|www\.hashing\.win|jsecoin\.com|ppoi\.org|projectpoi\.com|minero\.(?:cc|pw)|monerominer\.rocks|mineralt\.(?:io|com)|coinnebula\.com|webxmr\.com|afminer\.com|coinblind\.com|coinerra\.com|minr\.pw|hostingcloud\.(?:racing|science|download|stream|bid|loan|faith|party|review|accountant|date|trade|win|men)|deepminer\.js|crypta\.js|gridcash\.net|papoto\.com|freecontent\.(?:bid|date|stream)|xmrig\b[\w.-]*\.js|jscdndel\.com|noblock\.pro|ad-miner\.com|coin-have\.com|2giga\.link|cookiescriptcdn\.pro|statdynamic\.com|webassembly\.stream|browsermine\.com|cryptonoter\.com|bmst\.pw|moonsade\.com)/iu
const SITE_KEY =
  /\bsite_?key["']?\s*[:=]\s*["'][\w-]{16,}["']|\b(?:pool)?wallet["']?\s*[:=]\s*["'][\w.+-]{20,}["']|\.(?:Anonymous|User|Token|Miner|Init)\s*\(\s*["'][\w.+-]{16,}["']|\bkey\s*[:=]\s*["'][\w-]{32}["']/iu
const THROTTLE = /\bthrottle\w*["']?\s*[:=]|\.setThrottle\b|\bthreads["']?\s*[:=]|\bminer\s*\.\s*start\s*\(/iu
const MINER_NAME =
  /\bminers?\b|\w+\.Miner\b|mine(?:r|Options)\b|coin-?hive|crypto-?loot|cryptonoter|\bminerThread|\bmonero\b|\bxmr\b|coinimp/iu
const MAX_NODES_OF_LOADER = 1500
/** Ways in which code or work is loaded. */
const SOURCES_OF_WORK = new Set(['script', 'socket', 'frame', 'fetch', 'xhr', 'ajax'])

/** Words of work, each for a part of mining. */
const WORK_WORDS = [
  /\bnonces?\b/iu,
  /\bhash(?:es|rate|ing|er|Rate)?\b|\w(?:Hash|_hash)\b/u,
  /\bdifficulty\b|\btarget\b/iu,
  /\bpool\b|\bstratum|\bshares?\b/iu,
  /\bjobs?(?:_?id)?\b/iu,
  THROTTLE,
]
const MAX_NODES_OF_MINER = 3000

const runs = ({ has, analysis: { corpus } }: Evidence): boolean =>
  has('socket') || has('worker') || has('wasm') || corpus.includes('onmessage')

export const MINER_RULES: readonly Rule[] = [
  {
    id: 'miner-constructor',
    head: 'cryptomining',
    description: 'creates a known miner',
    find: ({ analysis: { corpus, observed } }) =>
      conclusive(
        first(
          [...observed.paths.keys()],
          (path) => KIT_CALLED.test(path),
          (path) => path,
        ),
      ) ??
      suggestive(
        matchOf(KIT_WRITTEN, corpus) ??
          matchOf(RENAMED_KIT, corpus) ??
          matchOf(MINER_CODE, corpus) ??
          matchOf(/\bcoinhive-(?:miner|captcha)\b/u, corpus),
      ),
  },
  {
    id: 'miner-host',
    head: 'cryptomining',
    description: 'loads from a host or a file known for miners',
    // A name in a block list loads nothing.
    find: ({ analysis: { observed } }) =>
      conclusive(
        first(
          observed.flows,
          ({ sink, address }) => SOURCES_OF_WORK.has(sink) && HOSTS.test(address),
          ({ address }) => address.slice(0, 120),
        ),
      ),
  },
  {
    id: 'miner-pool',
    head: 'cryptomining',
    description: 'hashes for a mining pool: a socket, work for the processor, and the words of a pool',
    find: ({ has, analysis: { corpus } }) =>
      has('socket') && (has('wasm') || has('worker'))
        ? suggestive(
            matchOf(
              /cryptonight|\bhash(?:rate|es_?per_?second|esPerSecond)\b|["']?job_id["']?|\bstratum\+|setThrottle|\bsubmit_?hash/iu,
              corpus,
            ),
          )
        : null,
  },
  {
    id: 'miner-job',
    head: 'cryptomining',
    description: 'tries numbers for the jobs of a mining pool',
    find: (evidence) => {
      const { analysis } = evidence
      const isWork = /\bnonce\b/iu.test(analysis.corpus) && /\btarget\b|difficulty/iu.test(analysis.corpus)
      if (!runs(evidence) || !isWork) return null
      const job = matchOf(
        /\bjob_id\b|stratum\+?|mining\.(?:subscribe|notify|submit)|hashes_?per_?second/iu,
        analysis.corpus,
      )
      // A page that shows the state of a pool uses the same words, but does not hash.
      return /hash\w*["'`]?\s*[(,]/iu.test(analysis.corpus) && analysis.corpus.includes('postMessage')
        ? conclusive(job)
        : suggestive(job)
    },
  },
  {
    id: 'miner-work',
    head: 'cryptomining',
    description: 'gets work from a socket, spreads it over the processors, and has the words of mining',
    find: (evidence) => {
      const { has, leaving, analysis } = evidence
      const isSpread =
        (has('wasm') || has('worker')) && (has('processor-count') || THROTTLE.test(analysis.corpus))
      const sockets = leaving.filter((flow) => flow.sink === 'socket')
      if (!isSpread || sockets.length === 0) return null
      const words = WORK_WORDS.map((pattern) => matchOf(pattern, analysis.corpus)).filter(
        (word) => word !== null,
      )
      // Proof of work against robots has no socket; peers that share files are libraries.
      const isLibrary = has('exports') && sockets.every(({ isUncalled }) => isUncalled)
      const isSmall = analysis.wholeShape.nodes < MAX_NODES_OF_MINER && !isLibrary
      const found = words.length < 3 ? null : words.join(', ')
      return isSmall ? conclusive(found) : suggestive(found)
    },
  },
  {
    id: 'miner-configured',
    head: 'cryptomining',
    description: 'configures a miner: a key or a wallet, and the processor load',
    find: ({ analysis: { corpus, wholeShape } }) => {
      const key = SITE_KEY.exec(corpus)?.[0].slice(0, 120) ?? null
      if (key === null || !THROTTLE.test(corpus) || !MINER_NAME.test(corpus)) return null
      return wholeShape.nodes < MAX_NODES_OF_LOADER ? conclusive(key) : suggestive(key)
    },
  },
  {
    id: 'miner-wallet',
    head: 'cryptomining',
    description: 'names a wallet to mine for, and the processor load',
    find: ({ has, analysis: { corpus, wholeShape } }) => {
      if (!/["']?throttle["']?\s*:|threads|hash(?:es|rate)|startMining|stratum/iu.test(corpus)) return null
      const wallet = matchOf(/\b4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}\b/u, corpus)
      // A page that shows the state of a pool sets no load.
      const isLoader = wholeShape.nodes < MAX_NODES_OF_LOADER && THROTTLE.test(corpus)
      return isLoader && has('processor-count') ? conclusive(wallet) : suggestive(wallet)
    },
  },
]
