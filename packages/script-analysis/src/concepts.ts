// Concepts: browser objects that a script uses, and words in its strings, each a named feature. They are counted in
// the observed behavior, so encoding a name does not hide it.
import type { Analysis } from './analysis.ts'

export interface Concept {
  readonly name: string
  /** Paths as in observations: `document.cookie`, `.appendChild`, `new Image`, `<iframe>`, `=innerHTML`. */
  readonly paths?: RegExp
  /** Words in strings and decoded strings. */
  readonly texts?: RegExp
  readonly events?: RegExp
}

export const CONCEPTS: readonly Concept[] = [
  { name: 'request', paths: /^(?:new )?(?:XMLHttpRequest|XDomainRequest)$|^fetch\(\)$/u },
  { name: 'fetch', paths: /^fetch\(\)$/u },
  { name: 'beacon', paths: /sendBeacon\(\)$/u },
  { name: 'image-made', paths: /^new Image$|^<img>$/u },
  { name: 'socket', paths: /^new (?:WebSocket|EventSource)$/u },
  { name: 'peer-connection', paths: /RTCPeerConnection/u },
  { name: 'jquery-request', paths: /^(?:\$|jQuery)\.(?:ajax|post|get|getJSON|getScript)\(\)$/u },
  { name: 'worker', paths: /^new (?:Worker|SharedWorker|Blob)$/u },
  { name: 'wasm', paths: /^WebAssembly/u, texts: /^\0asm|AGFzbQ|0061736d|\.wasm\b/u },
  { name: 'processor-count', paths: /hardwareConcurrency/u },
  { name: 'script-made', paths: /^<script>$/u },
  { name: 'frame-made', paths: /^<iframe>$|^<frame>$/u },
  { name: 'hidden-frame', paths: /^<hidden frame>$/u },
  { name: 'form-made', paths: /^<form>$/u },
  { name: 'input-made', paths: /^<(?:input|select|textarea)>$/u },
  { name: 'style-made', paths: /^<style>$/u },
  {
    name: 'inserts',
    paths: /^\.(?:appendChild|insertBefore|append|prepend|replaceChild|insertAdjacentElement)$/u,
  },
  {
    name: 'writes-markup',
    paths: /^=(?:innerHTML|outerHTML)$|^\.insertAdjacentHTML$|^document\.write(?:ln)?$/u,
  },
  { name: 'document-write', paths: /^document\.write(?:ln)?(?:\(\))?$/u },
  { name: 'evaluates', paths: /^eval\(\)$|^new Function$|^Function\(\)$|^execScript\(\)$|globalEval/u },
  { name: 'field-values', paths: /^\.(?:value|val|serialize|serializeArray|selectedIndex)$/u },
  {
    name: 'all-fields',
    paths: /getElementsByTagName\(\)$/u,
    texts: /^(?:input|select|textarea)\s*[,[]|^:input|^body form$/iu,
  },
  { name: 'form-data', paths: /^new FormData$/u },
  { name: 'cookie', paths: /^document\.cookie$|^\.cookie$/u },
  { name: 'storage', paths: /^(?:local|session)Storage/u },
  { name: 'key-events', events: /^key(?:up|down|press)$/u },
  { name: 'input-events', events: /^(?:input|change|blur|focusout)$/u },
  { name: 'submit-events', events: /^submit$|^beforeunload$|^pagehide$/u },
  { name: 'pointer-events', events: /^(?:click|mousedown|mouseup|touchstart|touchend)$/u },
  { name: 'load-events', events: /^(?:load|DOMContentLoaded|ready|readystatechange)$/iu },
  { name: 'interval', paths: /^setInterval\(\)$/u },
  { name: 'timeout', paths: /^setTimeout\(\)$/u },
  { name: 'base64-encode', paths: /^btoa$/u },
  { name: 'base64-decode', paths: /^atob$/u },
  { name: 'unescape', paths: /^unescape$/u },
  { name: 'char-codes', paths: /^\.fromCharCode$|fromCharCode/u },
  { name: 'json', paths: /^JSON$/u },
  { name: 'uri-encode', paths: /^encodeURIComponent$/u },
  { name: 'place', paths: /^(?:window\.|document\.)?location\b/u },
  { name: 'referrer', paths: /^document\.referrer$/u },
  { name: 'user-agent', paths: /^navigator\.userAgent$/u },
  {
    name: 'navigates',
    paths: /^location\.(?:replace|assign)\(\)$|^=(?:location|href)$|^window\.open\(\)$|^open\(\)$/u,
  },
  { name: 'notification', paths: /Notification\.requestPermission|serviceWorker\.register/u },
  { name: 'clipboard-write', paths: /clipboard\.writeText|execCommand/u },
  { name: 'mutation-observer', paths: /^new MutationObserver$/u },
  { name: 'debugger', paths: /^debugger$/u, texts: /^debugger$|debugger;?$/u },
  { name: 'window-size', paths: /outer(?:Width|Height)$/u },
  { name: 'console-silenced', paths: /^=(?:log|warn|debug|info|error)$/u },
  { name: 'activex', paths: /ActiveXObject|^WScript/u },
  { name: 'plugins', paths: /navigator\.(?:plugins|mimeTypes)/u },
  { name: 'exports', paths: /^(?:module|exports)\b|^define(?:\.amd)?$/u },
  { name: 'prototype', paths: /^\.prototype$/u },
  { name: 'prevents-default', paths: /^\.(?:preventDefault|stopPropagation)$/u },
  { name: 'class-list', paths: /^\.classList$|^\.(?:addClass|removeClass|toggleClass)$/u },
  { name: 'hides', paths: /^=(?:display|visibility|opacity|zIndex)$|^\.hide$|^\.remove(?:Child)?$/u },
  { name: 'throws-errors', paths: /^(?:new )?(?:Error|TypeError|RangeError)$/u },
  {
    name: 'card-words',
    texts:
      /\b(?:cc|card)[-_. ]?(?:number|num|no|cid|cvv|cvc|exp|owner|holder)|cvv2?\b|cvc2?\b|creditcard|credit[-_ ]card|cardnumber|expir(?:y|ation|es)|exp[-_]?(?:month|year|date)|ccsave|verisign|payment\[|securitycode/iu,
  },
  {
    name: 'card-pattern',
    texts:
      /4\[0-9\]\{12|\^4\\d|5\[1-5\]|\\d\{1[2-6]|3\[47\]|\\d\{4\}[^a-z]{0,12}\\d\{4\}|\[0-9\]\{13,1[69]\}|\\d\{1[36],1[69]\}|6\(\?:011|\d{4}[- ]\?\\d/u,
  },
  {
    name: 'checkout-words',
    texts:
      /checkout|onepage|onestep|\bcart\b|place.?order|billing|\bpaypal\b|\bstripe\b|braintree|authorize\.?net|firecheckout|osc\b|order-review|\/payment/iu,
  },
  {
    name: 'personal-words',
    texts:
      /\b(?:billing|shipping)[-_:[]|first.?name|last.?name|\bstreet\b|\bpostcode\b|\btelephone\b|\bcountry_id\b|\bzip\b/iu,
  },
  { name: 'password-words', texts: /passw(?:or)?d|\bpasswd\b|\blogin\[|\bsignin\b/iu },
  { name: 'admin-words', texts: /\/admin\b|wp-admin|wp-login|\badmin\/dashboard/iu },
  {
    name: 'mining-words',
    texts:
      /coin-?hive|crypto-?loot|cryptonight|deepminer|webmine|\bminer\b|hash(?:es|rate|esPerSecond)|throttle|monero|\bxmr\b|stratum|\bpool\b|jsecoin|coinimp|\bnonce\b/iu,
  },
  {
    name: 'mining-calls',
    paths:
      /\.(?:Anonymous|CRLT|setThrottle|getHashesPerSecond|getTotalHashes|getAcceptedHashes|hashes_per_second|job_id|didOptOut)$|_hash_cn|cryptonight/iu,
  },
  {
    name: 'wallet-words',
    texts: /\b4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}\b|wallet|seed phrase|mnemonic|private.?key|metamask/iu,
  },
  {
    name: 'shell-words',
    texts:
      /powershell|mshta|cmd(?:\.exe)? \/c|wscript|\bcertutil\b|Win ?\+ ?R|Windows.{0,12}R\b|\biex\b|\bcurl -|osascript/iu,
  },
  {
    name: 'update-words',
    texts:
      /update your (?:browser|chrome|firefox|flash)|(?:browser|chrome|firefox|flash player).{0,30}(?:out of date|outdated|update)|critical update|font wasn.t found|hoefler/iu,
  },
  {
    name: 'robot-words',
    texts: /verify you are (?:a )?human|not a robot|press.{0,20}(?:ctrl|enter)|verification steps/iu,
  },
  {
    name: 'scare-words',
    texts:
      /your (?:computer|pc|device|mac) (?:is|has been|may be)|virus(?:es)? (?:detected|found)|call (?:now|support|microsoft)|error code|congratulations|you(?:'ve| have) won/iu,
  },
  {
    name: 'search-engines',
    texts: /google\.|bing\.|yahoo\.|baidu|yandex|googlebot|bingbot|\bbot\b|crawl|spider/iu,
  },
  { name: 'mobile-words', texts: /android|iphone|ipod|blackberry|iemobile|opera mini|windows phone/iu },
  {
    name: 'executable-words',
    texts: /\.(?:exe|scr|msi|dll|apk|dmg|jar|hta|ps1|vbs|bat)\b|application\/octet-stream/iu,
  },
  {
    name: 'exploit-words',
    texts:
      /%u(?:9090|0c0c|4141|0d0d)|\bclsid:|shellcode|heap|spray|java_arx|x-java-applet|msxml2|adodb\.stream|scripting\.filesystemobject|wscript\.shell|deployJava/iu,
  },
  { name: 'drop-words', texts: /savetofile|responsebody|%temp%|expandenvironment|\brun\b/iu },
  {
    name: 'analytics-words',
    texts: /analytics|gtag|dataLayer|\bpageview\b|\btrack(?:er|ing)?\b|utm_|\bga\(|metrika|pixel/iu,
  },
  { name: 'devtools-words', texts: /devtools|firebug|devtoolschange/iu },
  { name: 'licence-words', texts: /licen[sc]e|copyright|\(c\) \d{4}|@version/iu },
  { name: 'raw-address', texts: /^(?:https?|wss?):\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/u },
  { name: 'script-address', texts: /^(?:https?:)?\/\/[^\s"']+\.(?:js|php)(?:\?|$)/u },
  {
    name: 'gate-address',
    texts:
      /\/(?:gate|collect|save|send|grab|jquery|check|tracker|log|post|stat|in|g|t)\.php|\.(?:top|xyz|pw|su|ru|club|icu|tk|cc|bid|site|online)(?:\/|$)/iu,
  },
]

/**
 * A value from 0 to 1 for each concept: 0 if absent, a half if present once, more with each further mention of
 * another kind.
 */
export function conceptValues({ observed }: Analysis): readonly number[] {
  const tallies = CONCEPTS.map((concept) => ({ concept, count: 0 }))
  for (const path of observed.paths.keys())
    for (const tally of tallies) if (tally.concept.paths?.test(path) === true) tally.count += 1
  for (const text of stringsOf(observed))
    for (const tally of tallies) if (tally.concept.texts?.test(text) === true) tally.count += 1
  for (const event of observed.events)
    for (const tally of tallies) if (tally.concept.events?.test(event) === true) tally.count += 1
  return tallies.map(({ count }) => 1 - 0.5 ** count)
}

function* stringsOf({ texts: strings, decoded }: Analysis['observed']): Iterable<string> {
  let budget = 300_000
  for (const set of [strings, decoded]) {
    for (const text of set) {
      const looked = text.slice(0, 2000)
      budget -= looked.length
      if (budget < 0) return
      yield looked
    }
  }
}
