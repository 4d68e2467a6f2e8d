// More scripts of honest sites, counterparts to hostile-behaviours.ts: each does part of the same, for a legitimate reason.
import { own, page } from './page-templates.ts'
import type { Family, Variation } from './variation.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const host = (v: Variation): string =>
  `https://${v.pick(['js', 'cdn', 'app', 'widget', 'api', 'sdk'])}.${v.pick(['pay', 'chat', 'reviews', 'maps', 'metrics', 'search', 'consent', 'video'])}.example.com/${v.pick(['v1/', 'v2/', ''])}${v.pick(['loader.js', 'sdk.js', 'embed.js', 'widget.js', 'init'])}`

export const SITE_BEHAVIOURS: readonly Family[] = [
  page(
    'form sent to the bank that is chosen',
    (v) =>
      `document.querySelectorAll('input[name=payment_method]').forEach(function(r){r.addEventListener('change',function(){var f=document.getElementById('${v.pick(['order-form', 'checkout', 'pay'])}');f.action=r.value==='card'?'${own(v)}':'https://secure.${v.pick(['bank', 'pay', 'gateway'])}.example.com/${v.pick(['hosted', 'pay', 'start'])}';f.method='post'})});`,
  ),
  page(
    'order kept on the server while it is typed',
    (v) =>
      `var last='';setInterval(function(){var f=document.querySelector('#${v.pick(['checkout-form', 'order', 'address'])}');if(!f)return;var d=new URLSearchParams(new FormData(f)).toString();if(d!==last){last=d;fetch('${own(v)}',{method:'POST',body:d,credentials:'same-origin'})}},${v.number(20, 90) * 100});`,
  ),
  page(
    'tag manager on a host of the shop',
    (v) =>
      `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src='https://${v.pick(['sst', 'gtm', 'tags', 'metrics'])}.shop.example.com/${v.pick(['gtm.js', 'tag.js', 'a.js'])}?id='+i+dl;f.parentNode.insertBefore(j,f)})(window,document,'script','dataLayer','GTM-${v.key(6)}');${v.chance(0.5) ? `dataLayer.push({event:'${v.pick(['checkout', 'add_payment_info', 'purchase'])}',ecommerce:{value:${v.number(5, 500)}}});` : ''}`,
  ),
  page(
    'widget with settings in base64',
    (v) =>
      `(function(){var c=JSON.parse(atob('${base64(JSON.stringify({ id: v.key(8), color: '#336699', position: 'right', lang: 'en' }))}'));var s=document.createElement('script');s.async=!0;s.src='${host(v)}?id='+c.id;s.onload=function(){window.${v.pick(['Widget', 'ChatApp', 'Reviews'])}.init(c)};document.head.appendChild(s)})();`,
  ),
  page(
    'window that shares the page',
    (v) =>
      `document.querySelectorAll('.share').forEach(function(a){a.addEventListener('click',function(e){e.preventDefault();window.open('https://${v.pick(['social', 'share', 'post'])}.example.com/share?url='+encodeURIComponent(location.href)+'&text='+encodeURIComponent(document.title),'share','width=${v.number(4, 7)}00,height=${v.number(3, 6)}00')})});`,
  ),
  page(
    'report downloaded at a click',
    (v) =>
      `document.querySelector('.${v.pick(['export', 'download', 'csv'])}').onclick=function(){var rows=[].map.call(document.querySelectorAll('table tr'),function(r){return [].map.call(r.cells,function(c){return c.textContent}).join(',')});var b=new Blob([rows.join('\\n')],{type:'text/csv'}),a=document.createElement('a');a.href=URL.createObjectURL(b);a.download='${v.pick(['report', 'orders', 'export'])}.csv';a.click()};`,
  ),
  page(
    'requests timed for a service',
    (v) =>
      `(function(){var o=XMLHttpRequest.prototype.open,s=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.open=function(m,u){this._u=u;this._t=Date.now();return o.apply(this,arguments)};XMLHttpRequest.prototype.send=function(b){var x=this;x.addEventListener('loadend',function(){navigator.sendBeacon('https://rum.${v.pick(['metrics', 'watch', 'apm'])}.example.com/v1',JSON.stringify({u:String(x._u).split('?')[0],s:x.status,d:Date.now()-x._t}))});return s.apply(this,arguments)}})();`,
  ),
  page(
    'offer shown to whoever leaves',
    (v) =>
      `if(document.cookie.indexOf('offer=1')<0){document.addEventListener('mouseout',function(e){if(e.clientY>0)return;document.cookie='offer=1;path=/;max-age=${v.number(1, 30) * 86_400}';var d=document.createElement('div');d.className='modal';d.innerHTML='<form action="${own(v)}" method="post"><input type="email" name="email" placeholder="E-mail"><button>${v.pick(['Get 10 % off', 'Subscribe', 'Keep me posted'])}</button></form>';document.body.appendChild(d)},{once:true})}`,
  ),
  page(
    'bank card told by its first digits',
    (v) =>
      `document.querySelector('${v.pick(['#card-number', '[name=cardnumber]', '.cc-number'])}').addEventListener('input',function(e){var n=e.target.value.replace(/\\D/g,'');if(n.length===6||n.length===8)fetch('${own(v)}?bin='+n.slice(0,6)).then(function(r){return r.json()}).then(function(d){document.querySelector('.brand').src='/img/'+d.brand+'.svg'})});`,
  ),
  page(
    'scripts once the visitor agrees',
    (v) =>
      `function load(u){var s=document.createElement('script');s.src=u;s.async=true;document.body.appendChild(s)}if(/consent=${v.pick(['all', 'yes', '1'])}/.test(document.cookie)){load('${host(v)}');${v.chance(0.5) ? `load('${host(v)}')` : ''}}else document.querySelector('.agree').onclick=function(){document.cookie='consent=all;path=/;max-age=31536000';load('${host(v)}')};`,
  ),
  page(
    'frame of a film or a map',
    (v) =>
      `var f=document.createElement('iframe');f.src='https://${v.pick(['player', 'maps', 'embed'])}.example.com/${v.key(8)}?autoplay=${v.number(0, 1)}';f.width=${v.number(300, 900)};f.height=${v.number(200, 500)};f.allow='fullscreen';f.style.border='0';document.getElementById('${v.pick(['player', 'map', 'video'])}').appendChild(f);`,
  ),
  page(
    'text decoded for a reader of the page',
    (v) =>
      `var el=document.querySelectorAll('[data-${v.pick(['mail', 'enc', 'cf'])}]');[].forEach.call(el,function(e){var h=e.getAttribute('data-mail')||'',k=parseInt(h.substr(0,2),16),r='';for(var i=2;i<h.length;i+=2)r+=String.fromCharCode(parseInt(h.substr(i,2),16)^k);e.textContent=r;e.href='mailto:'+r});`,
  ),
]
