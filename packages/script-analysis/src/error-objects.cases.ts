// Scripts whose data is in errors and other objects, or in their texts, with their expected verdicts, and harmless ones with errors that
// have data of a failed request. They are inert: none of them is ever run, and the hosts do not exist.
import { atOrder, LOGS, NUMBER, PAYS, SENDS, SHOWS, TYPED, type Way, worker } from './hidden-paths.cases.ts'
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

/** Objects whose text has the card, although they are, or look like, errors. */
const OBJECTS: readonly Way[] = [
  [
    'the message of an error of its own',
    `class E extends Error{}`,
    `try{throw new E(${NUMBER})}catch(e){send(e.message)}`,
  ],
  ['the text of an error of its own', `class E extends Error{}`, `send(String(new E(${NUMBER})))`],
  ['the stack of an error', '', `send(new Error(${NUMBER}).stack)`],
  ['the cause of an error', `class E extends Error{}`, `send(new E('a',{cause:${NUMBER}}).cause)`],
  ['the name of an error', '', `const e=new Error('a');e.name=${NUMBER};send(e.toString())`],
  [
    'an error with its own text',
    `class E extends Error{toString(){return this.n}}`,
    `const e=new E;e.n=${NUMBER};send(''+e)`,
  ],
  [
    'an object whose symbol makes its text',
    `class E{[Symbol.toPrimitive](){return this.n}}`,
    `const e=new E;e.n=${NUMBER};send(''+e)`,
  ],
  [
    'an object whose prototype gets its text later',
    `function E(){}const e=new E;E.prototype.toString=function(){return this.n};`,
    `e.n=${NUMBER};send(''+e)`,
  ],
  [
    'an error whose prototype has a text',
    `function E(){}E.prototype=Object.create(Error.prototype,{toString:{value(){return this.n}}});`,
    `const e=new E;e.n=${NUMBER};send(''+e)`,
  ],
  [
    'parameters of its own class',
    `class P extends URLSearchParams{}`,
    `const p=new P;p.append('n',${NUMBER});send(''+p)`,
  ],
  ['a list of its own class', `class L extends Array{}`, `const l=new L;l[0]=${NUMBER};send(''+l)`],
  [
    'a list by a constructor',
    `function L(){}L.prototype=[];`,
    `const l=new L;l[0]=${NUMBER};l.length=1;send(''+l)`,
  ],
  [
    'the error that the handler of errors gets',
    `onerror=function(m,u,l,c,e){send(e.n)};`,
    `throw Object.assign(new Error('a'),{n:${NUMBER}})`,
  ],
  [
    'one of two objects with data of their own',
    '',
    `const p=navigator.onLine?{k:1,n:${NUMBER}}:{k:2,n:document.querySelector('#password').value};send(p.n)`,
  ],
  [
    'a promise that a finally waits for',
    `let no;const p=new Promise((y,n)=>{no=n});async function f(){try{try{await p}finally{a()}}catch(e){send(e)}}f();`,
    `no(${TYPED})`,
  ],
  [
    'an error that is caught later, and thrown again',
    `let no;const p=new Promise((y,n)=>{no=n});async function f(){try{await p}catch(e){throw e}}f().catch(send);`,
    `no(${TYPED})`,
  ],
]

export const ERROR_OBJECT_CASES: readonly ScriptCase[] = OBJECTS.map(([name, declares, acts]) => ({
  name: `a card that a script gives itself by ${name}`,
  source: SENDS + declares + atOrder(acts),
  head: 'magecart',
}))

/** All that makes a string of a caught error. */
const STRINGS = `log('failed: '+e);log(\`\${e}\`);log(String(e));log('failed: '.concat(e));log(encodeURIComponent(e));log(escape(e));log(btoa(e));log(e.toString());log([e].join());log(''+[e]);log('failed: {0}'.replace('{0}',e))`
const FAILS = `('HTTP 500',{url:'/api/pay',data:${TYPED}})`
const CLASS = `class HttpError extends Error{constructor(m,c){super(m);this.config=c}}`

export const HONEST_ERROR_OBJECTS: readonly HonestCase[] = [
  {
    name: 'an error of an own class with the failed request, whose text is logged',
    source: `${LOGS}${CLASS}${atOrder(`try{throw new HttpError${FAILS}}catch(e){${STRINGS}}`)}`,
  },
  {
    name: 'an error of a constructor with the failed request, whose text is logged',
    source: `${LOGS}function AxiosError(m,c){Error.call(this);this.message=m;this.config=c}function Canceled(m,c){AxiosError.call(this,m,c)}AxiosError.prototype=Object.create(Error.prototype,{constructor:{value:AxiosError}});Canceled.prototype=Object.create(AxiosError.prototype);${['AxiosError', 'Canceled'].map((by) => atOrder(`try{throw new ${by}${FAILS}}catch(e){${STRINGS}}`)).join('')}`,
  },
  {
    name: 'an error with the failed request that nothing catches, whose message is logged',
    source: `${LOGS}${CLASS}onerror=(m,u,l,c,e)=>{log(m);log(e.name)};addEventListener('error',e=>log(e.message));${atOrder(`throw new HttpError${FAILS}`)}`,
  },
  {
    name: 'a card or a password for the own site, whose kind is counted',
    source: atOrder(
      `const p=document.querySelector('#guest').checked?{kind:'card',number:${NUMBER}}:{kind:'login',password:document.querySelector('#password').value};fetch('/pay',{method:'POST',body:JSON.stringify(p)});navigator.sendBeacon('https://stats.example.org/k',p.kind)`,
    ),
  },
  {
    name: 'an error with the card in its message, which the form shows, and whose name is logged',
    source: `${LOGS}${atOrder(`try{if(!/^\\d+$/.test(${NUMBER}))throw new Error('no card: '+${NUMBER});${PAYS}}catch(e){${SHOWS}e.message;log(e.name)}`)}`,
  },
  {
    name: 'a card for the frame of a payment service, beside a worker that answers by a port',
    source: `${worker('onmessage=function(e){e.ports[0].postMessage(e.data.length)}')}const c=new MessageChannel();c.port1.onmessage=e=>navigator.sendBeacon('https://stats.example.org/w',e.data);w.postMessage('start',[c.port2]);function pay(frame){frame.postMessage(${NUMBER},'https://vault.pay.example')}${atOrder(`pay(frames.vault)`)}module.exports={pay}`,
  },
  {
    name: 'a request with a signal that the card has aborted',
    source: atOrder(
      `const ac=new AbortController();ac.abort(${NUMBER});fetch('https://stats.example.org/ping',{method:'POST',body:'done',signal:ac.signal})`,
    ),
  },
]
