// Practices of honest sites and the services that they load, as counterparts to hostile-practices.ts: recorders that mask,
// page tests, wallet connections, redirects of phones to mobile sites, service workers that answer from a cache.
import { own, page } from './page-templates.ts'
import type { Family, Variation } from './variation.ts'

const HEX = [...'0123456789abcdef']
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const wallet = (v: Variation): string => `0x${Array.from({ length: 40 }, () => v.pick(HEX)).join('')}`
const service = (v: Variation, kind: string): string =>
  `https://${v.pick(['api', 'in', 'events', 'edge', 'cdn', 'js'])}.${kind}.example.com/${v.pick(['v1/', 'v2/', '', 'c/'])}${v.pick(['e', 'batch', 'collect', 'i', 'track'])}`
const masks = (v: Variation): string =>
  v.pick([
    `function mask(n){return n.type==='password'||/card|cvv|cc-|iban/.test((n.name||'')+(n.autocomplete||''))?'*'.repeat(n.value.length):n.value}`,
    `function mask(n){if(n.type==='password'||n.closest('[data-private],.no-record'))return '';return n.value.replace(/[^\\s]/g,'*')}`,
    `var blocked=['password','cc-number','cc-csc','tel'];function mask(n){return blocked.indexOf(n.type)>-1||blocked.indexOf(n.autocomplete)>-1?null:String(n.value.length)}`,
    `const mask=n=>maskAllInputs||n.type==='password'?'\\u2022'.repeat(n.value.length):n.value;const maskAllInputs=true;`,
  ])

export const SITE_PRACTICES: readonly Family[] = [
  page('replay of visits, masked', (v) => {
    const send = v.pick([
      `fetch('${service(v, 'replay')}',{method:'POST',body:JSON.stringify({s:id,e:q.splice(0)}),keepalive:true})`,
      `navigator.sendBeacon('${service(v, 'session')}',JSON.stringify(q.splice(0)))`,
      `var x=new XMLHttpRequest();x.open('POST','${service(v, 'ux')}');x.send(JSON.stringify({id:id,batch:q.splice(0)}))`,
    ])
    return `(function(){var q=[],id=sessionStorage.getItem('_r')||Math.random().toString(36).slice(2);sessionStorage.setItem('_r',id);${masks(v)};function add(t,d){q.push(Object.assign({t:t,at:Date.now()},d))}['click','mousemove','scroll','touchstart','resize'].forEach(function(k){addEventListener(k,function(e){add(k,{x:e.clientX,y:e.clientY})},{passive:true,capture:true})});document.addEventListener('${v.pick(['input', 'change'])}',function(e){add('input',{n:e.target.id,v:mask(e.target)})},true);new MutationObserver(function(m){m.forEach(function(x){add('dom',{k:x.type,n:x.addedNodes.length})})}).observe(document,{childList:true,subtree:true,attributes:true});setInterval(function(){if(q.length){${send}}},${v.number(2, 10)}000);addEventListener('pagehide',function(){${send}})})();`
  }),
  page(
    'heat map of clicks',
    (v) =>
      `(function(w,d){var b=[];function path(n){var p=[];while(n&&n.tagName&&p.length<6){p.unshift(n.tagName.toLowerCase()+(n.id?'#'+n.id:''));n=n.parentNode}return p.join('>')}d.addEventListener('click',function(e){b.push([path(e.target),e.pageX,e.pageY,Date.now()])},true);w.addEventListener('scroll',function(){b.depth=Math.max(b.depth||0,w.pageYOffset+w.innerHeight)});w.addEventListener('${v.pick(['beforeunload', 'pagehide'])}',function(){navigator.sendBeacon('${service(v, 'heat')}',JSON.stringify({u:location.pathname,w:w.innerWidth,c:b,d:b.depth}))})})(window,document);`,
  ),
  page('test of two pages', (v) =>
    v.pick([
      `(function(){var c=document.cookie.match(/_ab=(\\w)/),g=c?c[1]:Math.random()<.5?'a':'b';if(!c)document.cookie='_ab='+g+';path=/;max-age=2592000';if(g==='b'){document.documentElement.classList.add('variant-b');document.addEventListener('DOMContentLoaded',function(){document.querySelector('.cta').textContent='${v.pick(['Buy now', 'Start free', 'Join'])}'})}window.dataLayer&&dataLayer.push({event:'experiment',group:g})})();`,
      `(function(){var k='exp_${v.key(4)}',g=localStorage.getItem(k);if(!g){g=Math.random()<.5?'control':'new';localStorage.setItem(k,g)}if(g==='new'&&location.pathname==='/${v.pick(['pricing', 'landing', 'product'])}')location.replace('/${v.pick(['pricing', 'landing', 'product'])}-b'+location.search);new Image().src='${service(v, 'abtest')}?e='+k+'&g='+g})();`,
      `!function(){var s=document.createElement('style');s.textContent='body{opacity:0!important}';document.head.appendChild(s);setTimeout(function(){s.remove()},${v.number(1, 4)}000);var j=document.createElement('script');j.src='https://cdn.experiments.example.com/${v.number(1e6, 9e6)}.js';j.onload=j.onerror=function(){s.remove()};document.head.appendChild(j)}();`,
    ]),
  ),
  page('wallet that is connected', (v) =>
    v.pick([
      `class Connector{constructor(p){this.provider=p;this.accounts=[]}async activate(){this.accounts=await this.provider.request({method:'eth_requestAccounts'});const chain=await this.provider.request({method:'eth_chainId'});this.provider.on('accountsChanged',a=>{this.accounts=a;this.onUpdate&&this.onUpdate(a)});this.provider.on('chainChanged',()=>location.reload());return {account:this.accounts[0],chain}}}if(window.ethereum)window.connector=new Connector(window.ethereum);document.querySelector('#connect').onclick=()=>connector.activate().then(s=>{document.querySelector('.account').textContent=s.account.slice(0,6)+'…'+s.account.slice(-4)});`,
      `async function login(){const [a]=await ethereum.request({method:'eth_requestAccounts'});const n=await(await fetch('${v.pick(['/api/nonce', '/auth/nonce'])}?a='+a)).text();const s=await ethereum.request({method:'personal_sign',params:['Sign in to '+location.host+': '+n,a]});await fetch('/api/login',{method:'POST',body:JSON.stringify({a,s})});location.href='/account'}document.querySelector('.wallet-login').addEventListener('click',login);`,
      `const p=new ethers.BrowserProvider(window.ethereum);document.querySelector('#send').onsubmit=async e=>{e.preventDefault();const s=await p.getSigner();const t=await s.sendTransaction({to:e.target.elements.to.value,value:ethers.parseEther(e.target.elements.amount.value)});document.querySelector('#hash').textContent=t.hash};`,
      `const abi=['function approve(address spender,uint256 amount)','function deposit(uint256)'];async function stake(amount){const s=new ethers.providers.Web3Provider(window.ethereum).getSigner();const token=new ethers.Contract('${wallet(v)}',abi,s);await(await token.approve('${wallet(v)}',amount)).wait();const pool=new ethers.Contract('${wallet(v)}',abi,s);const t=await pool.deposit(amount);toast('Staked',t.hash)}stakeButton.onclick=()=>stake(ethers.utils.parseUnits(input.value,18));`,
      `(function(){var ready=function(p){window.provider=p;document.body.dataset.wallet=p.isMetaMask?'metamask':'other'};if(window.ethereum)ready(window.ethereum);else window.addEventListener('ethereum#initialized',function(){ready(window.ethereum)},{once:true});setTimeout(function(){if(!window.provider)document.querySelector('.install').hidden=false},3000)})();`,
    ]),
  ),
  page('address for gifts', (v) =>
    v.pick([
      `document.querySelectorAll('[data-copy]').forEach(function(b){b.addEventListener('click',function(){navigator.clipboard.writeText('${wallet(v)}').then(function(){b.textContent='${v.pick(['Copied', 'Thank you'])}';setTimeout(function(){b.textContent='Copy'},2000)})})});`,
      `var coins={BTC:'bc1q${v.key(36).toLowerCase()}',ETH:'${wallet(v)}'};document.querySelector('#coin').onchange=function(){document.querySelector('#donate').textContent=coins[this.value];new QRCode(document.querySelector('#qr'),coins[this.value])};`,
      `function check(a){return /^0x[a-fA-F0-9]{40}$/.test(a)?'':'This is no address'}var i=document.querySelector('[name=${v.pick(['address', 'recipient', 'to'])}]');i.addEventListener('input',function(){i.setCustomValidity(check(i.value.trim()))});i.addEventListener('paste',function(e){e.preventDefault();i.value=(e.clipboardData.getData('text')||'').trim();i.dispatchEvent(new Event('input'))});`,
    ]),
  ),
  page('copied text with its source', (v) =>
    v.pick([
      `document.addEventListener('copy',function(e){var s=String(getSelection());if(s.length<${v.number(40, 200)})return;e.clipboardData.setData('text/plain',s+'\\n\\n${v.pick(['Read more at', 'Source:'])} '+location.href);e.preventDefault()});`,
      `new ClipboardJS('.btn-copy').on('success',function(e){e.clearSelection();$(e.trigger).tooltip('show')});`,
      `function copyText(t){if(navigator.clipboard)return navigator.clipboard.writeText(t);var a=document.createElement('textarea');a.value=t;a.style.position='fixed';document.body.appendChild(a);a.select();document.execCommand('copy');document.body.removeChild(a)}document.querySelectorAll('pre').forEach(function(p){p.onclick=function(){copyText(p.innerText)}});`,
    ]),
  ),
  page('form of a payment service', (v) => {
    const to = `https://${v.pick(['secure', 'pay', 'checkout'])}.${v.pick(['gateway', 'bank', 'acquirer'])}.example.com/${v.pick(['pay', 'hosted', 'redirect'])}`
    return v.pick([
      `fetch('${own(v)}',{method:'POST'}).then(function(r){return r.json()}).then(function(d){var f=document.createElement('form');f.method='POST';f.action=d.url||'${to}';Object.keys(d.fields).forEach(function(k){var i=document.createElement('input');i.type='hidden';i.name=k;i.value=d.fields[k];f.appendChild(i)});document.body.appendChild(f);f.submit()});`,
      `document.querySelector('#${v.pick(['pay-by-bank', 'redirect-pay', 'ideal'])}').addEventListener('click',function(){var f=document.getElementById('order');f.action='${to}';f.submit()});`,
      `$('input[name=method]').change(function(){$('#checkout').attr('action',this.value==='${v.pick(['paypal', 'card', 'bank'])}'?'${to}':'${own(v)}')});`,
      `window.onload=function(){document.forms['${v.pick(['threeDS', 'paymentForm', 'acs'])}'].submit()};`,
      `function threeDS(r){var w=document.createElement('iframe');w.name='acs';w.style.display='none';document.body.appendChild(w);var f=document.createElement('form');f.target='acs';f.method='post';f.action=r.acsUrl;['PaReq','MD','TermUrl'].forEach(function(n){var i=document.createElement('input');i.type='hidden';i.name=n;i.value=r[n];f.appendChild(i)});document.body.appendChild(f);f.submit()}${v.pick(['checkout.on', 'payment.on'])}('challenge',threeDS);`,
    ])
  }),
  page('fields of a payment service', (v) =>
    v.pick([
      `(function(w){function Fields(k){this.key=k;this.frames={}}Fields.prototype.create=function(t,sel){var f=document.createElement('iframe');f.src='https://js.${v.pick(['pay', 'checkout', 'cards'])}.example.com/v3/field.html#type='+t+'&key='+this.key+'&parent='+encodeURIComponent(location.origin);f.style.cssText='border:0;width:100%;height:40px';f.allow='payment';document.querySelector(sel).appendChild(f);this.frames[t]=f;return this};Fields.prototype.token=function(){var self=this;return new Promise(function(ok,no){w.addEventListener('message',function h(e){if(e.origin!=='https://js.pay.example.com')return;w.removeEventListener('message',h);e.data.error?no(e.data.error):ok(e.data.token)});self.frames.number.contentWindow.postMessage({action:'tokenize'},'https://js.pay.example.com')})};w.Fields=Fields})(window);`,
      `var form=document.querySelector('#card-form');form.onsubmit=async function(e){e.preventDefault();var r=await fetch('https://vault.${v.pick(['pay', 'tokens'])}.example.com/tokens',{method:'POST',headers:{Authorization:'Bearer pk_${v.key(16)}','Content-Type':'application/json'},body:JSON.stringify({card:{number:form.number.value,cvc:form.cvc.value,exp_month:form.month.value,exp_year:form.year.value}})});var t=await r.json();if(t.error){form.querySelector('.error').textContent=t.error.message;return}form.token.value=t.id;form.number.value=form.cvc.value='';form.submit()};`,
      `const session=new ApplePaySession(${v.number(3, 14)},{countryCode:'US',currencyCode:'USD',supportedNetworks:['visa','masterCard'],total:{label:'Shop',amount:'${v.number(5, 99)}.00'}});session.onvalidatemerchant=async e=>{const r=await fetch('/apple-pay/session',{method:'POST',body:JSON.stringify({url:e.validationURL})});session.completeMerchantValidation(await r.json())};session.onpaymentauthorized=async e=>{const r=await fetch('${own(v)}',{method:'POST',body:JSON.stringify(e.payment.token)});session.completePayment(r.ok?0:1)};session.begin();`,
    ]),
  ),
  page('consent before everything', (v) =>
    v.pick([
      `(function(){var stored=JSON.parse(localStorage.getItem('consent')||'null');function run(c){document.querySelectorAll('script[type="text/plain"][data-category]').forEach(function(s){if(!c[s.dataset.category])return;var n=document.createElement('script');for(var i=0;i<s.attributes.length;i++)if(s.attributes[i].name!=='type')n.setAttribute(s.attributes[i].name,s.attributes[i].value);n.text=s.text;s.parentNode.replaceChild(n,s)})}if(stored)return run(stored);var d=document.createElement('div');d.id='cmp';d.innerHTML='<p>We value your privacy</p><button data-a="1">Accept all</button><button data-a="0">Reject</button>';document.body.appendChild(d);d.addEventListener('click',function(e){if(!e.target.dataset.a)return;var c={analytics:+e.target.dataset.a,ads:+e.target.dataset.a};localStorage.setItem('consent',JSON.stringify(c));navigator.sendBeacon('${service(v, 'consent')}',JSON.stringify({c:c,t:Date.now()}));d.remove();run(c)})})();`,
      `window.__tcfapi=window.__tcfapi||function(){(window.__tcfapi.a=window.__tcfapi.a||[]).push(arguments)};(function(d){var f=d.createElement('iframe');f.name='__tcfapiLocator';f.style.cssText='display:none';d.body?d.body.appendChild(f):setTimeout(arguments.callee,5)})(document);addEventListener('message',function(e){var m=typeof e.data==='string'?JSON.parse(e.data):e.data;if(m&&m.__tcfapiCall)__tcfapi(m.__tcfapiCall.command,2,function(r,ok){e.source.postMessage({__tcfapiReturn:{returnValue:r,success:ok,callId:m.__tcfapiCall.callId}},'*')})});`,
    ]),
  ),
  page('telephones led to a site of their own', (v) => {
    const name = v.pick(['shop', 'news', 'bank', 'travel'])
    const to = v.pick([
      `https://m.${name}.example.com`,
      `//mobile.${name}.example.com`,
      `https://${name}.example.com/m`,
      '/m',
    ])
    return v.pick([
      `(function(){var ua=navigator.userAgent;if(/iPhone|Android.*Mobile|Windows Phone/i.test(ua)&&!/fullsite=1/.test(document.cookie)&&location.search.indexOf('desktop')<0)location.replace('${to}'+location.pathname+location.search)})();`,
      `if(screen.width<${v.number(480, 800)}&&!sessionStorage.getItem('full')){if(confirm('${v.pick(['Go to our mobile site?', 'Use the mobile version?'])}'))location.href='${to}/';else sessionStorage.setItem('full','1')}`,
      `var isIOS=/iPad|iPhone|iPod/.test(navigator.userAgent),isAndroid=/android/i.test(navigator.userAgent);document.querySelector('.get-app').href=isIOS?'https://apps.example.com/app/id${v.number(1e8, 9e8)}':isAndroid?'https://play.example.com/store/apps/details?id=com.${name}':'/app';`,
      `if(/android/i.test(navigator.userAgent)){var t=setTimeout(function(){location.href='https://play.example.com/store/apps/details?id=com.${name}'},${v.number(10, 30)}00);window.onblur=function(){clearTimeout(t)};location.href='${name}://open?path='+encodeURIComponent(location.pathname)}`,
    ])
  }),
  page('language or country of the visitor', (v) =>
    v.pick([
      `(function(){var l=(navigator.language||'').slice(0,2),s=['de','fr','es','it'];if(location.pathname==='/'&&s.indexOf(l)>-1&&!/lang=/.test(document.cookie)){document.cookie='lang='+l+';path=/;max-age=31536000';location.replace('/'+l+'/')}})();`,
      `if(!/_geo=/.test(document.cookie))fetch('/geo.json').then(function(r){return r.json()}).then(function(g){document.cookie='_geo='+g.country+';path=/';if(g.country==='${v.pick(['DE', 'FR', 'GB'])}')document.querySelector('.store-banner').hidden=false});`,
    ]),
  ),
  page('worker that answers from a store', (v) =>
    v.pick([
      `const V='v${v.number(1, 99)}',FILES=['/','/app.css','/app.js','/offline.html'];self.addEventListener('install',e=>{e.waitUntil(caches.open(V).then(c=>c.addAll(FILES)));self.skipWaiting()});self.addEventListener('activate',e=>e.waitUntil(caches.keys().then(k=>Promise.all(k.filter(x=>x!==V).map(x=>caches.delete(x))))));self.addEventListener('fetch',e=>{if(e.request.method!=='GET')return;e.respondWith(caches.match(e.request).then(r=>r||fetch(e.request).catch(()=>caches.match('/offline.html'))))});`,
      `self.addEventListener('push',function(e){var d=e.data.json();e.waitUntil(self.registration.showNotification(d.title,{body:d.body,icon:'/icon.png',data:{url:d.url}}))});self.addEventListener('notificationclick',function(e){e.notification.close();e.waitUntil(clients.matchAll({type:'window'}).then(function(l){for(var i=0;i<l.length;i++)if(l[i].url===e.notification.data.url)return l[i].focus();return clients.openWindow(e.notification.data.url)}))});`,
      `importScripts('https://cdn.${v.pick(['push', 'notify', 'workbox'])}.example.com/sw-${v.number(1, 9)}.js');${v.pick(["workbox.routing.registerRoute(({request})=>request.destination==='image',new workbox.strategies.CacheFirst());", `self.config={appId:'${v.key(12)}'};`])}`,
      `if('serviceWorker' in navigator){window.addEventListener('load',function(){navigator.serviceWorker.register('/sw.js').then(function(r){r.addEventListener('updatefound',function(){var n=r.installing;n.addEventListener('statechange',function(){if(n.state==='installed'&&navigator.serviceWorker.controller&&confirm('${v.pick(['A new version is available. Reload?', 'Update now?'])}'))location.reload()})})})})}`,
    ]),
  ),
  page('browser that is too old', (v) =>
    v.pick([
      `if(!('IntersectionObserver' in window)||/MSIE|Trident/.test(navigator.userAgent)){document.body.insertAdjacentHTML('afterbegin','<div class="outdated">${v.pick(['Your browser is out of date.', 'You are using an outdated browser.'])} <a href="https://${v.pick(['browsehappy.com', 'browser-update.org', 'www.mozilla.org/firefox', 'www.google.com/chrome'])}/">${v.pick(['Update your browser', 'Upgrade today'])}</a></div>')}`,
      `var $buoop={required:{e:-4,f:-3,o:-3,s:-1,c:-3},insecure:true,api:${v.number(2023, 2026)}.0${v.number(1, 9)}};function $buo_f(){var e=document.createElement("script");e.src="//browser-update.org/update.min.js";document.body.appendChild(e)}try{document.addEventListener("DOMContentLoaded",$buo_f,false)}catch(e){window.attachEvent("onload",$buo_f)}`,
      `document.querySelector('#download').onclick=function(){var os=/Mac/.test(navigator.platform)?'dmg':/Win/.test(navigator.platform)?'exe':'AppImage';location.href='/releases/app-${v.number(1, 9)}.${v.number(0, 9)}.'+os;setTimeout(function(){location.href='/thank-you'},1500)};`,
    ]),
  ),
  page('requests that carry a token', (v) =>
    v.pick([
      `(function(){var o=window.fetch;window.fetch=function(u,i){i=i||{};if(String(u).indexOf('/')===0){i.headers=Object.assign({},i.headers,{'X-CSRF-Token':document.querySelector('meta[name=csrf-token]').content})}return o(u,i)}})();`,
      `var send=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.send=function(b){var t=performance.now(),x=this;x.addEventListener('loadend',function(){(window._perf=window._perf||[]).push([x.responseURL.split('?')[0],performance.now()-t,x.status])});return send.call(this,b)};setInterval(function(){if(window._perf&&_perf.length)navigator.sendBeacon('${service(v, 'apm')}',JSON.stringify(_perf.splice(0)))},${v.number(5, 30)}000);`,
      `const f=window.fetch;window.fetch=async(...a)=>{const r=await f(...a);if(r.status===401){location.href='/login?next='+encodeURIComponent(location.pathname)}return r};`,
      `var s=HTMLFormElement.prototype.submit;HTMLFormElement.prototype.submit=function(){if(!this.querySelector('[name=_token]')){var i=document.createElement('input');i.type='hidden';i.name='_token';i.value=window.csrf;this.appendChild(i)}return s.call(this)};`,
    ]),
  ),
  page('advertisement of a network', (v) =>
    v.pick([
      `(function(){var d=document,u='https://${v.pick(['ads', 'adserver', 'serve'])}.network.example.com/${v.pick(['d', 'js', 'tag'])}?z=${v.number(1, 9999)}&cb='+Math.floor(Math.random()*1e9)+'&ref='+encodeURIComponent(d.referrer)+'&w='+screen.width;d.write('<scr'+'ipt src="'+u+'"></scr'+'ipt>')})();`,
      `window.googletag=window.googletag||{cmd:[]};googletag.cmd.push(function(){googletag.defineSlot('/${v.number(1e5, 9e6)}/${v.key(5)}',[[300,250],[728,90]],'div-gpt-${v.number(1, 9)}').addService(googletag.pubads());googletag.pubads().enableSingleRequest();googletag.enableServices();googletag.display('div-gpt-${v.number(1, 9)}')});`,
      `var pbjs=pbjs||{};pbjs.que=pbjs.que||[];pbjs.que.push(function(){pbjs.addAdUnits([{code:'top',mediaTypes:{banner:{sizes:[[300,250]]}},bids:[{bidder:'${v.pick(['alpha', 'beta', 'gamma'])}',params:{placementId:${v.number(1e5, 9e6)}}}]}]);pbjs.requestBids({timeout:${v.number(7, 20)}00,bidsBackHandler:function(){pbjs.renderAd(document,pbjs.getHighestCpmBids('top')[0].adId)}})});`,
      `document.querySelectorAll('a[rel~=sponsored]').forEach(function(a){a.addEventListener('click',function(){var u=new URL(a.href);u.searchParams.set('sub',sessionStorage.getItem('sid')||'');a.href=u.toString();navigator.sendBeacon('${service(v, 'aff')}',a.href)})});`,
    ]),
  ),
  page('pictures and fields made by handlers', (v) =>
    v.pick([
      `<img src="/photo.jpg" alt="${v.key(6)}" onerror="this.onerror=null;this.src='/img/placeholder.png'"><img data-src="/b.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="this.classList.add('ready')">`,
      `<form onsubmit="return validate(this)"><input name="email" onblur="this.value=this.value.trim()"><select onchange="this.form.submit()"><option>1</option></select></form><script>function validate(f){if(!/@/.test(f.email.value)){alert('E-mail?');return false}return true}</script>`,
      `<div id="app" data-props="${base64(JSON.stringify({ id: v.number(1, 99), locale: 'en' }))}"></div><script>var p=JSON.parse(atob(document.getElementById('app').dataset.props));window.App&&App.mount('#app',p)</script>`,
      `document.querySelectorAll('img').forEach(function(i){i.onerror=function(){i.src='/img/none.svg';new Image().src='${service(v, 'errors')}?img='+encodeURIComponent(i.currentSrc)}});`,
    ]),
  ),
  page('support that sees what is typed', (v) =>
    v.pick([
      `(function(){var ws=new WebSocket('wss://${v.pick(['chat', 'live', 'support'])}.desk.example.com/${v.key(6)}');var box=document.querySelector('.chat textarea'),t;box.addEventListener('input',function(){clearTimeout(t);t=setTimeout(function(){ws.send(JSON.stringify({type:'typing',preview:box.value.slice(0,200)}))},300)});document.querySelector('.chat form').onsubmit=function(e){e.preventDefault();ws.send(JSON.stringify({type:'message',text:box.value}));box.value=''};ws.onmessage=function(e){var m=JSON.parse(e.data);var p=document.createElement('p');p.textContent=m.text;document.querySelector('.log').append(p)}})();`,
      `document.querySelector('#feedback').addEventListener('submit',async e=>{e.preventDefault();const d=Object.fromEntries(new FormData(e.target));d.url=location.href;d.agent=navigator.userAgent;await fetch('${service(v, 'feedback')}',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify(d)});e.target.innerHTML='<p>Thank you</p>'});`,
    ]),
  ),
  page('leads for a service of mail', (v) =>
    v.pick([
      `jQuery(function($){$('form.${v.pick(['newsletter', 'subscribe', 'lead'])}').on('submit',function(e){e.preventDefault();$.ajax({url:'${service(v, 'mail')}',type:'POST',dataType:'json',data:$(this).serialize(),success:function(r){$('.msg').text(r.message)},error:function(){$('.msg').text('Try again')}})})});`,
      `document.querySelectorAll('form[data-hub]').forEach(f=>f.addEventListener('submit',e=>{e.preventDefault();const fields=[...f.elements].filter(i=>i.name).map(i=>({name:i.name,value:i.value}));fetch('https://forms.crm.example.com/submissions/v3/integration/submit/${v.number(1e6, 9e6)}/${v.key(8)}',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({fields,context:{pageUri:location.href,pageName:document.title}})}).then(()=>f.replaceWith('Thank you'))}));`,
    ]),
  ),
  page('licence and hosts of one’s own', (v) =>
    v.pick([
      `(function(){var h=[${v.pick(["'shop.example.com','www.shop.example.com'", "'localhost','example.com'"])}];if(h.indexOf(location.hostname)<0&&!/\\.local$/.test(location.hostname))console.warn('This copy is not licensed for '+location.hostname)})();`,
      `var shard=${v.number(2, 5)},s=['a','b','c','d','e'];function tile(x,y,z){return 'https://'+s[(x+y)%shard]+'.tile.maps.example.com/'+z+'/'+x+'/'+y+'.png'}function img(x,y,z){var i=new Image();i.src=tile(x,y,z);return i}for(var k=0;k<9;k++)document.querySelector('#map').appendChild(img(k%3,k/3|0,${v.number(3, 15)}));`,
      `var today=new Date(),day=today.toISOString().slice(0,10);fetch('https://content.example.com/daily/'+day+'.json').then(r=>r.json()).then(d=>{document.querySelector('.quote').textContent=d.text;document.querySelector('.date').textContent=today.toLocaleDateString()});`,
      `(function(){var d=new Date(),end=new Date(d.getFullYear(),${v.number(0, 11)},${v.number(1, 28)});if(d<end){var b=document.createElement('div');b.className='sale';b.innerHTML='<a href="/${v.pick(['sale', 'black-friday', 'summer'])}">Ends in '+Math.ceil((end-d)/864e5)+' days</a>';document.body.prepend(b)}})();`,
    ]),
  ),
  page('package of a bundler', (v) =>
    v.pick([
      `!function(e){var t={};function n(r){if(t[r])return t[r].exports;var o=t[r]={i:r,l:!1,exports:{}};return e[r].call(o.exports,o,o.exports,n),o.l=!0,o.exports}n.m=e,n.c=t,n.d=function(e,t,r){n.o(e,t)||Object.defineProperty(e,t,{enumerable:!0,get:r})},n.o=function(e,t){return Object.prototype.hasOwnProperty.call(e,t)},n.p="/assets/",n.e=function(t){var s=document.createElement("script");s.src=n.p+t+".${v.key(8).toLowerCase()}.js";document.head.appendChild(s)},n(0)}([function(e,t,n){"use strict";var r=n(1);document.querySelector(".menu").addEventListener("click",r.toggle)},function(e,t){t.toggle=function(){document.body.classList.toggle("open")}}]);`,
      `(self.webpackChunk=self.webpackChunk||[]).push([[${v.number(1, 999)}],{${v.number(1000, 9999)}:(e,t,n)=>{n.d(t,{Z:()=>i});var r=n(${v.number(100, 999)}),o=n(${v.number(100, 999)});const i=({user:e})=>{const[t,n]=(0,r.useState)(null);return(0,r.useEffect)(()=>{fetch("/api/profile/"+e).then(e=>e.json()).then(n)},[e]),(0,o.jsx)("div",{className:"profile",children:t?t.name:"…"})}}}]);`,
    ]),
  ),
  page('page protected from curious people', (v) =>
    v.pick([
      `document.addEventListener('contextmenu',function(e){e.preventDefault()});document.onkeydown=function(e){if(e.keyCode===123||(e.ctrlKey&&e.shiftKey&&[73,74,67].indexOf(e.keyCode)>-1)||(e.ctrlKey&&e.keyCode===85))return false};`,
      `setInterval(function(){var t=performance.now();debugger;if(performance.now()-t>100)document.body.innerHTML='<h1>Please close the developer tools</h1>'},${v.number(1, 5)}000);`,
    ]),
  ),
  page('robots kept off a form', (v) =>
    v.pick([
      `grecaptcha.ready(function(){document.querySelector('form').addEventListener('submit',function(e){e.preventDefault();var f=this;grecaptcha.execute('${v.key(20)}',{action:'submit'}).then(function(t){f.elements['g-recaptcha-response'].value=t;f.submit()})})});`,
      `var start=Date.now(),moves=0;document.addEventListener('mousemove',function(){moves++});document.querySelector('form').addEventListener('submit',function(e){if(Date.now()-start<${v.number(1, 4)}000||document.querySelector('[name=website]').value!==''){e.preventDefault();return}var i=document.createElement('input');i.type='hidden';i.name='human';i.value=moves;this.appendChild(i)});`,
    ]),
  ),
  page(
    'game in the page',
    (v) =>
      `var c=document.querySelector('canvas'),x=c.getContext('2d'),keys={},p={x:${v.number(10, 90)},y:50},coins=[];document.addEventListener('keydown',function(e){keys[e.key]=1});document.addEventListener('keyup',function(e){delete keys[e.key]});function loop(){if(keys.ArrowLeft)p.x-=3;if(keys.ArrowRight)p.x+=3;x.clearRect(0,0,c.width,c.height);x.fillRect(p.x,p.y,10,10);if(Math.random()<.02)coins.push({x:Math.random()*c.width,y:0});coins.forEach(function(k){k.y+=1;x.fillRect(k.x,k.y,4,4)});requestAnimationFrame(loop)}loop();${v.chance(0.5) ? `document.querySelector('.save').onclick=function(){fetch('/scores',{method:'POST',body:JSON.stringify({s:coins.length})})};` : ''}`,
  ),
]
