// Words that are counted in a script's names, strings and decoded strings. One means little; the combination shows
// what a script is about, independent of its author.
import type { Analysis } from './analysis.ts'
import { TextIndex } from './text-index.ts'
import { type CountWords, createWordCounter } from './word-counter.ts'

/** Lower case; each is searched literally, also within other words. */
const WORDS_BY_SUBJECT = {
  network:
    'xmlhttprequest sendbeacon fetch websocket eventsource onreadystatechange responsetext ajax post( getscript jsonp script.src .src withcredentials no-cors urlencoded form-data importscripts telegram discord webhook ngrok pastebin githubusercontent ipfs onion wss:// https:// http:// .php .gif? .js? onmessage onopen',
  page: 'createelement appendchild insertbefore innerhtml outerhtml document.write insertadjacenthtml queryselectorall queryselector getelementsbytagname getelementbyid getelementsbyclassname parentnode removechild iframe <script <iframe <form <input <object <applet <embed visibility:hidden display:none position:fixed position:absolute z-index opacity left:-  width=1 height=1 contenteditable shadowroot mutationobserver currentscript documentelement srcdoc sandbox',
  events:
    'addeventlistener onclick onsubmit onkeypress onkeydown onkeyup onchange onblur onbeforeunload oncontextmenu mousedown touchstart keydown keyup keypress focusout submit paste copy visibilitychange readystatechange domcontentloaded preventdefault stoppropagation',
  storing: 'cookie localstorage sessionstorage indexeddb setitem getitem expires= max-age caches',
  decoding:
    'atob btoa unescape escape( fromcharcode charcodeat decodeuricomponent encodeuricomponent parseint( tostring( .replace( .split( reverse join( substr slice( eval( eval function( constructor _0x 0x \\x base64 xor rc4 aes cryptojs encrypt decrypt publickey',
  waiting:
    'setinterval settimeout clearinterval debugger devtools firebug outerwidth innerwidth outerheight console.log console.clear performance.now requestanimationframe webdriver phantom headless selenium toolbar',
  computing:
    'webassembly wasm worker blob createobjecturl hardwareconcurrency sharedarraybuffer memory asmjs uint8array uint32array threads cpu hash heap8 postmessage battery',
  card: 'card cardnumber card_number card-number cc_number ccnumber cc_cid cvv cvc expir exp_month exp_year expmonth holder owner cardholder luhn visa mastercard amex credit payment checkout onepage onestep billing shipping place_order placeorder placeholder magento woocommerce stripe braintree paypal adyen authorizenet verisign securepay iban pan',
  person:
    'firstname lastname email e-mail phone telephone street postcode zipcode city country address password passwd passwort login username user_login signin otp token session csrf credential ssn birth',
  form: 'input select textarea serialize serializearray formdata .value .val( elements document.forms name= type=password type=hidden checkbox maxlength autocomplete validate required placeholder= label',
  gate: 'gate /gate collect grab skimm exfil stealer inject payload shell victim bot_id dump logs bulletproof domain hostname host: referrer useragent user_agent screen location.href window.location pathname',
  mining:
    'miner mining coinhive crypto-loot cryptoloot deepminer webmine monero xmr cryptonight throttle anonymous hashespersecond hashrate nonce stratum pool job_id target difficulty site_key sitekey autothreads coinimp jsecoin wallet accepted isrunning isMobile didoptout force_exclusive',
  exploit:
    'activexobject classid clsid shellcode spray nop %u0c0c %u9090 collab.collectemailinfo util.printf getversion shockwave flash silverlight java jar applet acropdf pdf msxml2 xmlhttp adodb scripting.filesystemobject wscript shell.application cmd.exe powershell mshta savetofile expandenvironment .exe .msi .dll .hta .apk .zip .iso .scr jnlp vbscript plugindetect mimetypes plugins vml deployjava execcommand',
  lure: 'update chrome firefox browser outdated infected virus warning support call download allow notification robot captcha verify human verification congratulations winner prize claim reward gift survey bonus win+ ctrl flashplayer font licen serviceworker pushmanager push requestpermission subscribe',
  chain:
    'ethereum eth_ web3 metamask sendtransaction signer approve drain seed mnemonic phrase private_key bitcoin btc solana tron trx contract usdt permit walletconnect eth_call',
  search:
    'google bing yahoo yandex baidu duckduckgo googlebot crawler spider organic utm_ gclid keyword adsense banner popunder popup window.open location.replace top.location self.location history.pushstate http-equiv refresh mobile android iphone ipad windows macintosh msie trident opera blackberry',
  harmless:
    'module.exports exports define( amd require prototype __esmodule use~strict typeerror rangeerror copyright license version plugin jquery.fn $.fn extend options defaults deprecated typeof~module sourcemappingurl react component render webpack symbol promise gtag datalayer analytics track pageview consent gdpr event_category fbq hotjar sentry errorhandler classname classlist toggle animate slider carousel tooltip modal dropdown menu aria- i18n locale format date unittest throw~new',
} as const

const WORDS: readonly string[] = [
  ...new Set(
    Object.values(WORDS_BY_SUBJECT)
      .flatMap((words) => words.split(' '))
      .filter((word) => word !== '')
      .map((word) => word.replaceAll('~', ' ').toLowerCase()),
  ),
]

/** Their names as features. */
export const WORD_NAMES: readonly string[] = WORDS.map((word) => `word ${word}`)

const MAX_LOOKED_AT = 250_000
const MAX_OF_TEXT = 600
/** Characters that the search for strings in the source may scan in total. */
const MAX_SEARCHED = 400_000_000
const MANY = 8

let counter: CountWords | undefined

/** How often each word occurs, from 0 to 1; counted up to eight times. */
export function wordValues({ code, observed }: Analysis): readonly number[] {
  counter ??= createWordCounter(WORDS)
  const counts = counter(collectWords(code, observed), MANY)
  return counts.map((count) => Math.log1p(count) / Math.log1p(MANY))
}

/** The code and what the interpreter found in addition; each string once, long ones cut. */
function collectWords(
  code: string,
  { paths, texts: strings, decoded, layers }: Analysis['observed'],
): string {
  const start = code.slice(0, MAX_LOOKED_AT / 2)
  const parts = [start]
  let budget = MAX_LOOKED_AT - start.length
  let searches = MAX_SEARCHED
  const index = new TextIndex(code)
  const take = (text: string, most: number): void => {
    if (budget <= 0) return
    const part = text.slice(0, Math.min(most, budget))
    budget -= part.length + 1
    searches -= code.length
    // Strings that occur in the code were counted there.
    if (part.length < 200 && searches > 0 && index.includes(part)) return
    parts.push(part)
  }
  for (const { text } of layers) take(text, MAX_LOOKED_AT / 8)
  for (const text of decoded) take(text, MAX_OF_TEXT)
  for (const path of paths.keys()) take(path, MAX_OF_TEXT)
  for (const text of strings) if (text.length > 3) take(text, MAX_OF_TEXT)
  return parts.join('\n').toLowerCase()
}
