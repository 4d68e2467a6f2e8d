// Further scripts of honest sites, most of them similar to skimmers: they read fields, load, decode, count, redirect and
// open frames.
import { loader, own, page } from './page-templates.ts'
import type { Family, Variation } from './variation.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const vendor = (v: Variation): string =>
  `https://${v.pick(['api', 'events', 'in', 't', 'collect', 'cdn'])}.${v.pick(['metrics', 'forms', 'mail', 'pay', 'search', 'chat'])}.example.com/${v.pick(['v1', 'v2/track', 'e', 'submit', ''])}`

export const SITE_SHAPES: readonly Family[] = [
  page(
    'lead form of a mail service',
    (v) =>
      `(function(){var f=document.querySelector('.${v.pick(['signup', 'mc-form', 'lead'])}');f.addEventListener('submit',function(e){e.preventDefault();var d={};[].forEach.call(f.elements,function(i){if(i.name)d[i.name]=i.value});var s=document.createElement('script');s.src='${vendor(v)}?callback=cb&'+Object.keys(d).map(function(k){return k+'='+encodeURIComponent(d[k])}).join('&');document.head.appendChild(s)});window.cb=function(r){f.innerHTML=r.msg}})();`,
  ),
  page(
    'payment by a processor',
    (v) =>
      `document.querySelector('#${v.pick(['pay', 'checkout', 'order'])}').addEventListener('submit',async e=>{e.preventDefault();const card={number:cardNumber.value,cvc:cvc.value,exp:expiry.value};const r=await fetch('https://api.${v.pick(['pay', 'processor', 'gateway'])}.example.com/v1/tokens',{method:'POST',headers:{Authorization:'Bearer pk_${v.key(20)}','Content-Type':'application/json'},body:JSON.stringify(card)});const {id,error}=await r.json();if(error){errors.textContent=error.message;return}${v.pick([`await fetch('${own(v)}',{method:'POST',body:JSON.stringify({token:id})})`, `document.querySelector('[name=token]').value=id;e.target.submit()`])}});`,
  ),
  page(
    'checkout of a newer shop',
    (v) =>
      `define(['jquery','mage/storage','Magento_Checkout/js/model/quote'],function($,storage,quote){'use strict';return function(paymentData,messageContainer){var url='/rest/V1/guest-carts/'+quote.getQuoteId()+'/payment-information';return storage.post(url,JSON.stringify({cartId:quote.getQuoteId(),paymentMethod:paymentData,billingAddress:quote.billingAddress()})).${v.pick(['fail', 'done', 'always'])}(function(r){messageContainer.process(r)})}});`,
  ),
  page(
    'checkout steps',
    (v) =>
      `var steps=['login','billing','shipping','payment','review'];function show(i){$('.step').hide();$('#checkout-step-'+steps[i]).show();sessionStorage.setItem('step',i)}$('.checkout button').on('click',function(){var $f=$(this).closest('form');if(!$f.valid())return;$.ajax({url:'/checkout/onepage/save'+$(this).data('step'),type:'post',data:$f.serialize(),success:function(r){r.error?alert(r.message):show(r.next)}})});show(${v.number(0, 2)});`,
  ),
  page(
    'address copied from billing to shipping',
    () =>
      `document.getElementById('same').addEventListener('change',function(){['firstname','lastname','street1','city','postcode','telephone'].forEach(function(n){document.getElementById('shipping:'+n).value=this.checked?document.getElementById('billing:'+n).value:''},this)});`,
  ),
  page(
    'order form watched by a counter',
    (v) =>
      `setInterval(function(){var filled=[].filter.call(document.querySelectorAll('#checkout input'),function(i){return i.value!==''}).length;if(filled!==window.${v.id(0)}){window.${v.id(0)}=filled;navigator.sendBeacon('${vendor(v)}',JSON.stringify({step:location.pathname,filled:filled}))}},${v.number(1, 9)}000);`,
  ),
  page(
    'cart given up, by mail address',
    (v) =>
      `document.querySelector('[type=email]').addEventListener('blur',function(){if(/@/.test(this.value)){${v.pick(['fetch', 'navigator.sendBeacon'])}('${vendor(v)}',${v.pick(["{method:'POST',body:JSON.stringify({email:this.value,cart:window.cart})}", 'JSON.stringify({email:this.value,cart:window.cart})'])})}});`,
  ),
  page(
    'clicks counted',
    (v) =>
      `document.addEventListener('click',function(e){var a=e.target.closest('a,button');if(!a)return;var p={t:a.textContent.slice(0,40),h:a.href,x:e.pageX,y:e.pageY,u:location.href};${v.pick([`new Image().src='${vendor(v)}?'+Object.keys(p).map(function(k){return k+'='+encodeURIComponent(p[k])}).join('&')`, `navigator.sendBeacon('${vendor(v)}',JSON.stringify(p))`])}},true);`,
  ),
  page(
    'advertiser matching by a hash',
    (v) =>
      `async function sha(s){const h=await crypto.subtle.digest('SHA-256',new TextEncoder().encode(s.trim().toLowerCase()));return [...new Uint8Array(h)].map(b=>b.toString(16).padStart(2,'0')).join('')}document.querySelector('form').addEventListener('submit',async()=>{const e=document.querySelector('[name=email]');if(e)gtag('set','user_data',{sha256_email:await sha(e.value)});fbq('track','${v.pick(['Lead', 'CompleteRegistration', 'Purchase'])}')});`,
  ),
  page(
    'identity of a browser',
    (v) =>
      `var c=document.createElement('canvas'),x=c.getContext('2d');x.fillText('${v.key(5)}',2,15);var fp=[navigator.userAgent,screen.width,screen.height,new Date().getTimezoneOffset(),[].map.call(navigator.plugins,function(p){return p.name}).join(),c.toDataURL()].join('|');var h=0;for(var i=0;i<fp.length;i++)h=(h<<5)-h+fp.charCodeAt(i)|0;${v.pick([`document.cookie='fp='+h`, `new Image().src='${vendor(v)}?fp='+h`])};`,
  ),
  page(
    'plug-in version shown',
    () =>
      `var hasFlash=false;try{hasFlash=Boolean(new ActiveXObject('ShockwaveFlash.ShockwaveFlash'))}catch(e){hasFlash=navigator.mimeTypes&&navigator.mimeTypes['application/x-shockwave-flash']!==undefined}if(!hasFlash){document.getElementById('video').innerHTML='<video controls src="/media/intro.mp4"></video>'}`,
  ),
  page(
    'player embedded in the old way',
    (v) =>
      `swfobject.embedSWF('/media/player.swf','player','${v.number(300, 900)}','${v.number(200, 600)}','9.0.0','/media/expressInstall.swf',{file:'${v.key(6)}.flv'},{allowfullscreen:'true'});`,
  ),
  page(
    'frame that fits',
    (v) =>
      `var f=document.createElement('iframe');f.src='https://widget.example.com/embed/${v.key(8)}?host='+encodeURIComponent(location.hostname);f.style.cssText='border:0;width:100%;height:${v.number(200, 700)}px';document.currentScript.parentNode.insertBefore(f,document.currentScript);window.addEventListener('message',function(e){if(e.origin!=='https://widget.example.com')return;f.style.height=e.data.height+'px'});`,
  ),
  page(
    'storage shared by a frame',
    () =>
      `(function(){var f=document.createElement('iframe');f.style.display='none';f.src='https://sso.example.com/bridge.html';f.onload=function(){f.contentWindow.postMessage({get:'session'},'https://sso.example.com')};document.body.appendChild(f);window.addEventListener('message',function(e){if(e.origin==='https://sso.example.com'&&e.data.session)document.cookie='sso='+e.data.session+';path=/;secure'})})();`,
  ),
  page(
    'frame of an advertisement',
    (v) =>
      `document.write('<iframe src="https://ads.example.com/slot?z=${v.number(1, 999)}&r='+Math.random()+'" width="${v.pick(['300', '728', '160'])}" height="${v.pick(['250', '90', '600'])}" frameborder="0" scrolling="no"></iframe>');`,
  ),
  page('counter without a script', (v) =>
    v.pick([
      `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-${v.key(6)}" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>`,
      `<img height="1" width="1" style="display:none" src="https://www.facebook.com/tr?id=${v.number(1e8, 9e8)}&ev=PageView&noscript=1">`,
    ]),
  ),
  page(
    'loader with a fallback',
    (v) =>
      `window.jQuery||document.write('<script src="/js/vendor/jquery-${v.number(1, 3)}.${v.number(1, 9)}.min.js"><\\/script>');`,
  ),
  page(
    'scripts loaded one after the other',
    (v) =>
      `function load(u,cb){var s=document.createElement('script');s.src=u;s.onload=s.onreadystatechange=function(){if(!s.readyState||/loaded|complete/.test(s.readyState)){s.onload=null;cb&&cb()}};(document.head||document.body).appendChild(s)}load('${v.address()}',function(){load('${v.address()}',function(){window.app&&app.start()})});`,
  ),
  page(
    'loader on the checkout page',
    (v) =>
      `if(/checkout|cart/.test(location.pathname)){${loader(v, 'https://js.pay.example.com/v3/').startsWith('<') ? "var s=document.createElement('script');s.src='https://js.pay.example.com/v3/';document.head.appendChild(s)" : "(function(d){var s=d.createElement('script');s.async=1;s.src='https://js.pay.example.com/v3/';d.body.appendChild(s)})(document)"};window.onPayReady=function(){Pay.mount('#payment-element',{key:'pk_${v.key(16)}'})}}`,
  ),
  page(
    'application from a response',
    (v) =>
      `fetch('/api/${v.pick(['menu', 'config', 'flags'])}').then(r=>r.json()).then(c=>{${v.pick(["document.querySelector('nav').innerHTML=c.items.map(i=>`<a href=\"${i.url}\">${i.name}</a>`).join('')", "localStorage.setItem('flags',JSON.stringify(c));", 'window.flags=c;document.dispatchEvent(new Event("flags"))'])}}).catch(console.error);`,
  ),
  page(
    'template made into a function',
    () =>
      `function tmpl(s){return new Function('o','var p=[];p.push(\\''+s.replace(/[\\r\\t\\n]/g,' ').split('<%').join('\\t').replace(/\\t=(.*?)%>/g,"',$1,'").split('\\t').join("');").split('%>').join("p.push('")+'\\');return p.join("")')}document.getElementById('list').innerHTML=tmpl(document.getElementById('t').innerHTML)({items:window.items});`,
  ),
  page(
    'text read from JSON by eval',
    (v) =>
      `function getJSON(u,cb){var x=window.XMLHttpRequest?new XMLHttpRequest():new ActiveXObject('Microsoft.XMLHTTP');x.open('GET',u,true);x.onreadystatechange=function(){if(x.readyState==4&&x.status==200)cb(eval('('+x.responseText+')'))};x.send(null)}getJSON('${own(v)}',function(d){document.getElementById('out').innerHTML=d.html});`,
  ),
  page('packed menu', (v) =>
    v.pick([
      `eval(decodeURIComponent('${encodeURIComponent(`$('.nav').on('click',function(){$(this).toggleClass('open')});`).replaceAll("'", '%27')}'));`,
      `eval(atob('${base64(`window.site={init:function(){document.body.className+=' ready'}};site.init();`)}'));`,
      `document.write(unescape('${encodeURIComponent(`<link rel="stylesheet" href="/css/${v.key(4)}.css">`)}'));`,
    ]),
  ),
  page(
    'data in base64',
    (v) =>
      `var font='${base64(v.key(400))}',bytes=Uint8Array.from(atob(font),function(c){return c.charCodeAt(0)});new FontFace('${v.key(4)}',bytes).load().then(function(f){document.fonts.add(f)});`,
  ),
  page(
    'picture in base64',
    (v) =>
      `document.querySelectorAll('img[data-src]').forEach(function(i){i.src='data:image/gif;base64,${base64(v.key(30))}';var o=new IntersectionObserver(function(e){if(e[0].isIntersecting){i.src=i.dataset.src;o.disconnect()}});o.observe(i)});`,
  ),
  page(
    'file made for the visitor',
    (v) =>
      `document.querySelector('.export').onclick=function(){var b=new Blob([document.querySelector('table').innerText],{type:'${v.pick(['text/csv', 'text/plain', 'application/json'])}'});var a=document.createElement('a');a.href=URL.createObjectURL(b);a.download='${v.pick(['orders.csv', 'report.txt', 'data.json', 'backup.zip'])}';a.click()};`,
  ),
  page(
    'download page of a program',
    (v) =>
      `var os=/Mac/.test(navigator.platform)?'mac':/Win/.test(navigator.platform)?'win':'linux';var files={win:'/download/app-${v.number(1, 9)}.exe',mac:'/download/app.dmg',linux:'/download/app.AppImage'};document.querySelector('#download').href=files[os];document.querySelector('#download').textContent='Download for '+os;`,
  ),
  page(
    'leaving noted',
    (v) =>
      `document.querySelectorAll('a[href^=http]').forEach(function(a){if(a.hostname!==location.hostname)a.addEventListener('click',function(e){e.preventDefault();${v.pick(["ga('send','event','outbound','click',a.href,{hitCallback:function(){location.href=a.href}})", "setTimeout(function(){window.open(a.href,'_blank','noopener')},100)", "location.href='/out?u='+encodeURIComponent(a.href)"])}})});`,
  ),
  page(
    'unsaved work kept',
    () =>
      `var dirty=false;document.addEventListener('input',function(){dirty=true});window.onbeforeunload=function(){if(dirty)return 'You have unsaved changes'};document.forms[0].onsubmit=function(){dirty=false};`,
  ),
  page('moved for good', (v) =>
    v.pick([
      `if(location.protocol!=='https:')location.replace('https:'+location.href.substring(location.protocol.length));`,
      `if(location.hostname==='old.example.com')window.location.href='https://www.example.com'+location.pathname+location.search;`,
      `if(top!==self)top.location=self.location;`,
      `setTimeout(function(){location.href='/account'},${v.number(1, 9)}000);`,
      `document.querySelector('#lang').onchange=function(){location.href='/'+this.value+'/'};`,
    ]),
  ),
  page(
    'country chosen by address',
    (v) =>
      `fetch('https://geo.example.com/json').then(r=>r.json()).then(g=>{if(!localStorage.getItem('country')&&['US','GB','DE'].includes(g.country)){localStorage.setItem('country',g.country);if(confirm('Go to the shop of your country?'))location.href='https://${v.pick(['us', 'eu', 'shop'])}.example.com/'+g.country.toLowerCase()}});`,
  ),
  page(
    'where the visitor came from',
    (v) =>
      `(function(){var r=document.referrer,m=/(google|bing|yahoo|duckduckgo|yandex)\\./.exec(r);var s=m?{source:m[1],medium:'organic'}:r?{source:r.split('/')[2],medium:'referral'}:{source:'direct'};var q=new URLSearchParams(location.search);['utm_source','utm_medium','gclid'].forEach(function(k){if(q.get(k))s[k]=q.get(k)});document.cookie='src='+encodeURIComponent(JSON.stringify(s))+';path=/;max-age=2592000';${v.chance(0.5) ? "document.querySelectorAll('form').forEach(function(f){var i=document.createElement('input');i.type='hidden';i.name='source';i.value=s.source;f.appendChild(i)})" : ''}})();`,
  ),
  page(
    'telephones told of the app',
    (v) =>
      `if(/iPhone|iPad|Android/i.test(navigator.userAgent)&&!localStorage.getItem('nobanner')){var b=document.createElement('div');b.className='app-banner';b.innerHTML='<a href="${v.pick(['https://apps.example.com/app', 'market://details?id=com.example'])}">Get the app</a> <span>x</span>';document.body.appendChild(b);b.querySelector('span').onclick=function(){localStorage.setItem('nobanner',1);b.remove()}}`,
  ),
  page(
    'notices asked for at a click',
    (v) =>
      `document.querySelector('#subscribe').addEventListener('click',async()=>{const p=await Notification.requestPermission();if(p!=='granted')return;const r=await navigator.serviceWorker.ready;const s=await r.pushManager.subscribe({userVisibleOnly:true,applicationServerKey:'${v.key(40)}'});await fetch('/push/subscribe',{method:'POST',body:JSON.stringify(s)})});`,
  ),
  page(
    'token bought with a wallet',
    (v) =>
      `const c=new web3.eth.Contract(abi,'0x${v.key(40)}');document.querySelector('#buy').onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});c.methods.mint(qty.value).send({from:a,value:web3.utils.toWei('0.0${v.number(1, 9)}')}).on('receipt',r=>status.textContent=r.transactionHash)};`,
  ),
  page(
    'address of a wallet copied',
    (v) =>
      `document.querySelector('.donate button').onclick=function(){navigator.clipboard.writeText('0x${v.key(40)}').then(function(){this.textContent='Copied'}.bind(this))};`,
  ),
  page(
    'hashes in workers',
    (v) =>
      `const pool=Array.from({length:navigator.hardwareConcurrency||${v.number(2, 8)}},()=>new Worker('/js/${v.pick(['resize', 'hash', 'encode', 'zip'])}.worker.js'));let n=0;input.onchange=()=>[...input.files].forEach(f=>{const w=pool[n++%pool.length];w.postMessage(f);w.onmessage=e=>{progress.value=e.data.done;if(e.data.url)list.append(new Option(e.data.url))}});`,
  ),
  page(
    'proof of work against robots',
    (v) =>
      `async function solve(c,d){for(let n=0;;n++){const h=new Uint8Array(await crypto.subtle.digest('SHA-256',new TextEncoder().encode(c+n)));if(h[0]===0&&h[1]<256>>d)return n}}document.querySelector('form').addEventListener('submit',async e=>{e.preventDefault();const f=e.target;f.nonce.value=await solve(f.challenge.value,${v.number(1, 6)});f.submit()});`,
  ),
  page(
    'prices over a socket',
    (v) =>
      `let ws;function connect(){ws=new WebSocket('wss://stream.example.com/${v.pick(['ticker', 'orders', 'scores'])}');ws.onopen=()=>ws.send(JSON.stringify({method:'subscribe',params:['BTC','ETH'],id:${v.number(1, 9)}}));ws.onmessage=e=>{const d=JSON.parse(e.data);document.querySelector('#'+d.symbol).textContent=d.price};ws.onclose=()=>setTimeout(connect,${v.number(1, 9)}000)}connect();`,
  ),
  page(
    'password shown and measured',
    () =>
      `document.querySelectorAll('[type=password]').forEach(function(p){var b=document.createElement('button');b.type='button';b.textContent='Show';b.onclick=function(){p.type=p.type==='password'?'text':'password'};p.after(b);p.addEventListener('keyup',function(){var s=0;if(/[a-z]/.test(p.value))s++;if(/[A-Z]/.test(p.value))s++;if(/\\d/.test(p.value))s++;p.dataset.strength=s})});`,
  ),
  page(
    'code from a telephone',
    () =>
      `var boxes=document.querySelectorAll('.otp input');boxes.forEach(function(b,i){b.addEventListener('keyup',function(e){if(b.value&&boxes[i+1])boxes[i+1].focus();if(e.key==='Backspace'&&boxes[i-1])boxes[i-1].focus();var code=[].map.call(boxes,function(x){return x.value}).join('');if(code.length===6){document.querySelector('[name=otp]').value=code;document.forms.otp.submit()}})});`,
  ),
  page(
    'requests of the page watched',
    (v) =>
      `(function(){var o=XMLHttpRequest.prototype.open,s=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.open=function(m,u){this._u=u;this._t=Date.now();return o.apply(this,arguments)};XMLHttpRequest.prototype.send=function(){this.addEventListener('loadend',function(){navigator.sendBeacon('${vendor(v)}',JSON.stringify({u:this._u,ms:Date.now()-this._t,status:this.status}))});return s.apply(this,arguments)}})();`,
  ),
  page(
    'comments kept until sent',
    (v) =>
      `jQuery(function($){var k='${v.key(5)}';$('#commentform :input').each(function(){var n=this.name;$(this).val(localStorage.getItem(k+n)||'').on('change keyup',function(){localStorage.setItem(k+n,$(this).val())})});$('#commentform').submit(function(){$.each(localStorage,function(i){if(i.indexOf(k)===0)localStorage.removeItem(i)})})});`,
  ),
  page(
    'small plug-in of a library',
    (v) =>
      `(function($){$.fn.${v.id(0)}=function(o){var s=$.extend({speed:${v.number(100, 900)},class:'on'},o);return this.each(function(){var $t=$(this);$t.on('${v.pick(['click', 'mouseenter', 'focus'])}',function(e){e.preventDefault();$t.toggleClass(s.class).next().slideToggle(s.speed)})})}})(jQuery);jQuery('.${v.id(1)}').${v.id(0)}({speed:${v.number(100, 900)}});`,
  ),
  page(
    'map with markers',
    (v) =>
      `function initMap(){var m=new google.maps.Map(document.getElementById('map'),{zoom:${v.number(5, 15)},center:{lat:${v.number(-60, 60)},lng:${v.number(-90, 90)}}});[['Shop',1,2],['Store',3,4]].forEach(function(p){var k=new google.maps.Marker({position:{lat:p[1],lng:p[2]},map:m,title:p[0]});k.addListener('click',function(){location.href='/stores/'+p[0]})})}`,
  ),
  page('another site for telephones', (v) =>
    v.pick([
      `if(screen.width<=${v.number(400, 800)}&&document.referrer.indexOf('m.example.com')<0){document.location='https://m.example.com/'}`,
      `(function(a,b){if(/(android|ipad|playbook|silk|bb\\d+|meego).+mobile|avantgo|blackberry|iphone|ipod/i.test(a)&&document.cookie.indexOf('nomobile')==-1)window.location=b})(navigator.userAgent||navigator.vendor||window.opera,'https://mobile.example.com/');`,
      `if(navigator.userAgent.match(/iPhone|Android/i)){location.replace('/mobile'+location.pathname)}`,
    ]),
  ),
  page(
    'number of a tax or a postcode asked for',
    (v) =>
      `$('#${v.pick(['vat', 'zip', 'postcode', 'iban'])}').on('${v.pick(['change', 'blur'])}',function(){var v=$(this).val();$.ajax({url:'https://api.check.example.com/${v.pick(['vat', 'zip', 'iban'])}/'+encodeURIComponent(v),dataType:'json',headers:{'X-Key':'${v.key(16)}'}}).done(function(r){$('#city').val(r.city||'');$('.msg').toggle(!r.valid)})});`,
  ),
  page(
    'name of an account looked up',
    (v) =>
      `const f=document.querySelector('[name=${v.pick(['username', 'coupon', 'email'])}]');f.addEventListener('input',()=>{clearTimeout(f.t);f.t=setTimeout(async()=>{const r=await fetch('https://api.example.com/${v.pick(['available', 'coupons', 'verify'])}?q='+encodeURIComponent(f.value));f.setCustomValidity((await r.json()).ok?'':'Not valid');f.reportValidity()},${v.number(200, 800)})});`,
  ),
  page(
    'faults told to a service',
    (v) =>
      `(function(){var n=0;function report(e){if(n++>${v.number(3, 20)})return;var i=new Image();i.src='https://errors.example.com/log?m='+encodeURIComponent(e.message)+'&f='+encodeURIComponent(e.filename)+'&l='+e.lineno+'&ua='+encodeURIComponent(navigator.userAgent)}window.addEventListener('error',report,true)})();`,
  ),
  page(
    'talk with the support',
    (v) =>
      `const s=new WebSocket('wss://support.example.com/${v.key(6)}');const box=document.querySelector('#msg');box.addEventListener('keydown',e=>{if(e.key==='Enter'){s.send(JSON.stringify({t:'msg',text:box.value,name:localStorage.getItem('name')}));box.value=''}else s.send(JSON.stringify({t:'typing'}))});s.onmessage=e=>{const m=JSON.parse(e.data);document.querySelector('#log').insertAdjacentHTML('beforeend','<p>'+m.text+'</p>')};`,
  ),
  page(
    'helper of a test of pages',
    (v) =>
      `document.documentElement.style.opacity='0';setTimeout(function(){document.documentElement.style.opacity=''},${v.number(1, 4)}000);(function(){var s=document.createElement('script');s.src='https://cdn.ab.example.com/js/${v.number(1e6, 9e6)}.js';s.onload=function(){document.documentElement.style.opacity=''};document.head.appendChild(s)})();`,
  ),
]
