// Well-known shapes of hostile scripts. A rule that matches decides alone, so each is about what no honest script does.
import {
  carries,
  describe,
  first,
  isConcealed,
  isPutTogether,
  isTo,
  KNOWN_FRAMES,
  matchOf,
  type Rule,
} from './evidence.ts'
import { hostOf } from './origins.ts'
import { PURPOSE_RULES } from './purpose-rules.ts'
import { TAINT } from './values.ts'

const MINERS =
  /\bnew\s+(?:window\s*\.\s*)?(?:[\w$]+\s*\.\s*)?(?:CoinHive|Coinhive|CryptoLoot|CRLT|deepMiner|DeepMiner|Client|CoinImp|CoinIMP|PerfektStart|JSECoin|ProjectPoi|projectpoi|minero|Minero|WMP|CryptoNoter|AuthedMine|Mineralt|Webminer|CoinNebula|EverythingIsLife|NFMiner|BatMine|Monerise\w*|PPoi|[\w$]{1,12})\s*(?:\.|\[\s*["'])\s*(?:Anonymous|Token)(?:["']\s*\])?\s*\(/u
const MINER_CALLS =
  /\b(?:new\s+)?(?:CoinHive|CryptoLoot|CRLT|deepMiner)\s*\.\s*(?:User|Anonymous|Token|Init)\s*\(|\b(?:PerfektStart|EverythingIsLife|startMining|webmr_start|monerise_payment_address|processTrack_miner|JSEMine\w*)\s*[(=]|\bdeepMiner\.Init\s*\(|\bWMP\.(?:Anonymous|User|init)\b|new\s+WMP\s*\(|_hash_cn\b|cryptonight_(?:create|hash|destroy)/u
const MINER_HOSTS =
  /\b(?:coinhive-(?:miner|captcha)\b|coin-?hive\.(?:com|min)|coinhive\b[\w.-]*\.js|authedmine\.(?:com|min)|cnhv\.co|crypto-?loot\.(?:com|pro)|cryptaloot\.pro|webmine(?:pool)?\.(?:com|cz|pro)|webmine\.cz|coin-?imp\.com|www\.hashing\.win|jsecoin\.com|ppoi\.org|projectpoi\.com|minero\.(?:cc|pw)|monerominer\.rocks|mineralt\.(?:io|com)|coinnebula\.com|webxmr\.com|afminer\.com|coinblind\.com|coinerra\.com|minr\.pw|hostingcloud\.(?:racing|science|download|stream|bid|loan|faith|party|review|accountant|date|trade|win|men)|deepminer\.js|crypta\.js|gridcash\.net|papoto\.com|freecontent\.(?:bid|date|stream)|xmrig|jscdndel\.com|noblock\.pro|ad-miner\.com|coin-have\.com|2giga\.link|cookiescriptcdn\.pro|statdynamic\.com|webassembly\.stream|browsermine\.com|cryptonoter\.com|bmst\.pw|moonsade\.com|rocks\.io\/assets|wsp\.marketgid)/iu

const SHAPE_RULES: readonly Rule[] = [
  {
    id: 'miner-constructor',
    head: 'cryptomining',
    says: 'makes a miner of a known kind',
    find: ({ analysis: { corpus, observed } }) =>
      matchOf(MINERS, corpus) ??
      matchOf(MINER_CALLS, corpus) ??
      first(
        [...observed.paths.keys()],
        (path) => /^new \w+\.(?:Anonymous|Token)$/u.test(path),
        (path) => path,
      ),
  },
  {
    id: 'miner-host',
    head: 'cryptomining',
    says: 'loads from a host or a file known for miners',
    find: ({ analysis: { corpus }, nodes }) => (nodes > 40_000 ? null : matchOf(MINER_HOSTS, corpus)),
  },
  {
    id: 'miner-pool',
    head: 'cryptomining',
    says: 'hashes for a pool: a socket, work for the processor, and the words of a pool',
    find: ({ has, analysis: { corpus } }) =>
      has('socket') && (has('wasm') || has('worker'))
        ? matchOf(
            /cryptonight|\bhash(?:rate|es_?per_?second|esPerSecond)\b|["']?job_id["']?|\bstratum\+|setThrottle|\bsubmit_?hash/iu,
            corpus,
          )
        : null,
  },
  {
    id: 'card-leaves',
    head: 'magecart',
    says: 'sends what is typed into payment fields to another host by a way that no payment form takes',
    find: ({ leaving, nodes }) =>
      first(
        leaving,
        (flow) =>
          carries(flow, TAINT.card) && ['image', 'script', 'socket'].includes(flow.sink) && nodes < 30_000,
        describe,
      ),
  },
  {
    id: 'checkout-harvest',
    head: 'magecart',
    says: 'looks for a checkout and sends its fields to another host',
    find: (evidence) =>
      evidence.nodes < 8000 &&
      evidence.has('checkout-words') &&
      (evidence.has('card-words') || evidence.has('all-fields') || evidence.has('interval'))
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.field) && flow.sink !== 'navigation' && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'card-pattern-harvest',
    head: 'magecart',
    says: 'tells card numbers by a pattern and sends fields to another host',
    find: (evidence) =>
      evidence.nodes < 8000 && evidence.has('card-pattern')
        ? first(
            evidence.leaving,
            (flow) => carries(flow, TAINT.field) && flow.sink !== 'navigation',
            describe,
          )
        : null,
  },
  {
    id: 'watched-harvest',
    head: 'magecart',
    says: 'sends fields to another host, and looks whether it is being watched',
    find: (evidence) =>
      evidence.nodes < 6000 && (evidence.has('devtools-words') || evidence.has('window-size'))
        ? first(
            evidence.leaving,
            (flow) => carries(flow, TAINT.field) && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'all-fields-leave',
    head: 'magecart',
    says: 'gathers every field of a page and sends them to another host by the way',
    find: (evidence) =>
      evidence.nodes < 3000 &&
      evidence.has('all-fields') &&
      (evidence.has('interval') || evidence.has('base64-encode') || evidence.has('pointer-events'))
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.field) && flow.sink !== 'navigation' && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'staged-fields-leave',
    head: 'magecart',
    says: 'keeps fields of a form in the browser and sends them to another host later',
    find: (evidence) =>
      evidence.nodes < 3000
        ? first(
            evidence.leaving,
            (flow) =>
              // A talk keeps its visitor's name, too.
              flow.sink !== 'socket' &&
              carries(flow, TAINT.field) &&
              carries(flow, TAINT.storage) &&
              isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'concealed-harvest',
    head: 'magecart',
    says: 'sends what is typed to another host, whose name it conceals',
    find: (evidence) =>
      evidence.nodes < 3000 && evidence.analysis.shape.hexNames === 0
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.field | TAINT.card | TAINT.password | TAINT.keys) &&
              isTo(evidence, flow, 'other') &&
              isPutTogether(evidence, flow),
            describe,
          )
        : null,
  },
  {
    id: 'form-diverted',
    head: 'magecart',
    says: 'sends a form of the page to another host, whose name it conceals',
    find: (evidence) =>
      evidence.nodes < 2000 && evidence.analysis.shape.hexNames === 0
        ? first(
            evidence.leaving,
            (flow) => flow.sink === 'form' && isTo(evidence, flow, 'other') && isPutTogether(evidence, flow),
            describe,
          )
        : null,
  },
  {
    id: 'frame-under-pointer',
    head: 'malware',
    says: 'keeps a frame of another host, which nobody sees, under the pointer',
    find: (evidence) =>
      evidence.nodes < 1000 &&
      evidence.analysis.observed.events.has('mousemove') &&
      /opacity["']?\s*[:=]\s*["']?(?:0?\.0\d*|0)["';,\s}]/u.test(evidence.analysis.corpus)
        ? first(evidence.leaving, (flow) => flow.sink === 'frame' && isTo(evidence, flow, 'other'), describe)
        : null,
  },
  {
    id: 'concealed-loader',
    head: 'magecart',
    says: 'loads a script on payment pages from a host whose name it conceals',
    find: (evidence) =>
      evidence.nodes < 1500 && evidence.has('checkout-words') && evidence.analysis.shape.hexNames === 0
        ? first(
            evidence.leaving,
            (flow) => (flow.sink === 'script' || flow.sink === 'frame') && isConcealed(evidence, flow),
            describe,
          )
        : null,
  },
  {
    id: 'code-from-socket',
    head: 'malware',
    says: 'runs what a server sends it over a socket',
    find: ({ has, nodes, analysis: { observed } }) =>
      nodes < 1500 && has('socket')
        ? first(
            observed.flows,
            (flow) => flow.sink === 'code' && carries(flow, TAINT.network),
            () => 'code from a socket',
          )
        : null,
  },
  {
    id: 'decoded-code-from-network',
    head: 'malware',
    says: 'decodes what it has fetched and runs it',
    find: ({ has, nodes, analysis: { corpus, observed } }) =>
      nodes < 1500 &&
      // Old readers of JSON do that.
      !/eval\(\s*['"]\(['"]/u.test(corpus) &&
      (has('base64-decode') || has('char-codes') || has('referrer'))
        ? first(
            observed.flows,
            (flow) => flow.sink === 'code' && carries(flow, TAINT.network),
            () => 'code out of a response',
          )
        : null,
  },
  {
    id: 'sells-visitors',
    head: 'malware',
    says: 'sends visitors who come from a search to another site',
    find: (evidence) =>
      evidence.nodes < 1500 && evidence.has('referrer') && evidence.has('search-engines')
        ? first(
            evidence.leaving,
            (flow) => flow.sink === 'navigation' && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'decoded-redirect',
    head: 'malware',
    says: 'leads to another site by code that was encoded',
    find: (evidence) =>
      evidence.nodes < 600 &&
      // What asks a server first does not lead everybody away.
      !evidence.has('fetch') &&
      evidence.analysis.observed.layers.some(({ by }) => by === 'eval' || by === 'function')
        ? first(
            evidence.leaving,
            (flow) =>
              flow.sink === 'navigation' &&
              isTo(evidence, flow, 'other') &&
              isConcealed(evidence, flow) &&
              !(hostOf(flow.address) ?? '').startsWith('m.'),
            describe,
          )
        : null,
  },
  {
    id: 'false-update',
    head: 'malware',
    says: 'asks for an update and offers a program',
    find: ({ has, nodes, analysis: { corpus } }) =>
      nodes < 4000 && has('update-words')
        ? matchOf(/[\w/.-]{1,80}\.(?:exe|msi|msix|apk|hta|scr|dmg|js\.zip|zip)\b/iu, corpus)
        : null,
  },
  {
    id: 'program-from-text',
    head: 'malware',
    says: 'makes a program out of text and offers it',
    find: ({ has, nodes, analysis: { corpus, observed } }) =>
      nodes < 2000 && has('base64-decode') && observed.paths.has('.createObjectURL')
        ? matchOf(/["'`][\w-]{1,60}\.(?:exe|iso|img|hta|scr|msi|vbs|ps1|lnk)["'`]/iu, corpus)
        : null,
  },
  {
    id: 'session-leaves',
    head: 'malware',
    says: 'sends all cookies and what the browser keeps for the site to another host',
    find: (evidence) =>
      evidence.nodes < 1000 && !evidence.has('analytics-words')
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.cookie) && carries(flow, TAINT.storage) && isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'skimmer-kit',
    head: 'magecart',
    says: 'has words of a known kit of card thieves',
    find: ({ analysis: { corpus } }) =>
      matchOf(
        /ant_cockroach|grelos_v|magentocore\.(?:net|su)|HolderFirstName[\s\S]{0,200}HolderLastName|\bjs_?skimmer\b|ATMZOW|statistika\.js|jquery_?cdn\.top/u,
        corpus,
      ),
  },
  {
    id: 'cookie-leaves',
    head: 'malware',
    says: 'sends all cookies to another host',
    find: (evidence) =>
      evidence.nodes < 400 && !evidence.has('analytics-words')
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.cookie) &&
              isTo(evidence, flow, 'other') &&
              /[?&#/][\w-]*=?$/u.test(flow.address),
            describe,
          )
        : null,
  },
  {
    id: 'keys-leave',
    head: 'malware',
    says: 'sends keystrokes to another host',
    find: (evidence) =>
      evidence.nodes < 1500
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.keys) &&
              // Games send which key was pressed, and not what it types.
              !(flow.sink === 'socket' && evidence.analysis.observed.paths.has('.code')) &&
              isTo(evidence, flow, 'other'),
            describe,
          )
        : null,
  },
  {
    id: 'password-leaves',
    head: 'malware',
    says: 'sends passwords to another host by a way that no log-in takes',
    find: (evidence) =>
      evidence.nodes < 3000
        ? first(
            evidence.leaving,
            (flow) =>
              carries(flow, TAINT.password) &&
              isTo(evidence, flow, 'other') &&
              ['image', 'beacon', 'socket', 'script'].includes(flow.sink),
            describe,
          )
        : null,
  },
  {
    id: 'shell-on-clipboard',
    head: 'malware',
    says: 'puts a command for a shell on the clipboard',
    find: ({ has, analysis: { corpus } }) =>
      has('clipboard-write')
        ? matchOf(
            /powershell[^\n]{0,80}-|\bmshta(?:\.exe)? |\biex\b *\(|cmd(?:\.exe)? \/c|\bcurl\b[^\n]{0,100}\| *(?:ba)?sh|msiexec[^\n]{0,20}\/i|rundll32 /iu,
            corpus,
          )
        : null,
  },
  {
    id: 'windows-dropper',
    head: 'malware',
    says: 'fetches a program through the objects of an old browser and runs it',
    find: ({ analysis: { corpus } }) =>
      /ActiveXObject|CreateObject|WScript/iu.test(corpus) &&
      /\.Run\b|ShellExecute|SaveToFile|CreateTextFile/iu.test(corpus)
        ? matchOf(/ADODB\.?Stream|WScript\.Shell|Shell\.Application|Scripting\.FileSystemObject/iu, corpus)
        : null,
  },
  {
    id: 'sprayed-memory',
    head: 'malware',
    says: 'fills memory with machine code',
    find: ({ analysis: { corpus } }) =>
      matchOf(/(?:%u(?:9090|0c0c|0d0d|4141|0a0a)){2,}|(?:\\u(?:9090|0c0c|0d0d)){2,}/iu, corpus),
  },
  {
    id: 'hidden-frame-decoded',
    head: 'malware',
    says: 'writes a frame that nobody is to see, out of text that was encoded',
    find: ({ analysis: { observed, layerCount, shape } }) =>
      observed.paths.has('<hidden frame>') &&
      layerCount > 0 &&
      shape.nodes < 3000 &&
      observed.layers.some(({ by }) => by !== 'markup')
        ? first(
            observed.flows,
            ({ sink, address }) =>
              sink === 'frame' && hostOf(address) !== null && !KNOWN_FRAMES.test(hostOf(address) ?? ''),
            describe,
          )
        : null,
  },
  {
    id: 'code-from-chain',
    head: 'malware',
    says: 'runs code that it reads from a public ledger',
    find: ({ has, analysis: { corpus, observed } }) =>
      has('evaluates') || observed.flows.some(({ sink }) => sink === 'code')
        ? matchOf(/eth_call[\s\S]{0,2000}bsc|bsc-dataseed[\s\S]{0,4000}eth_call|data-seed-prebsc/u, corpus)
        : null,
  },
  {
    id: 'traffic-system',
    head: 'malware',
    says: 'has the marks of a known system that sells visitors on',
    find: ({ analysis: { corpus } }) =>
      matchOf(
        /if\s*\(\s*(?:typeof\s+)?nd(?:sj|sw|sx)\s*===?\s*["']?undefined|\bvar\s+(?:ndsj|ndsw|zqxq|zqxw)\s*=\s*(?:!0|true|!!)/u,
        corpus,
      ),
  },
]

export const RULES: readonly Rule[] = [...SHAPE_RULES, ...PURPOSE_RULES]
