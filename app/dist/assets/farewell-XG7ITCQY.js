<<<<<<< HEAD:app/dist/assets/farewell-FNJNGPD7.js
<<<<<<<< HEAD:app/dist/assets/farewell-NPB7WIDS.js
import{Ca as l,D as t,aa as e}from"./chunk-Z3OGILDL.js";function r(){return e(l,{title:t.settings.farewell.title,lead:t.settings.farewell.lead,children:e("p",{class:"door-links",children:[e("a",{href:"/app/register",children:t.settings.farewell.again}),e("a",{href:"/app/login",children:t.access.login.title})]})})}export{r as default};
========
import{D as t,Fa as l,aa as e}from"./chunk-5IBWICG6.js";function r(){return e(l,{title:t.settings.farewell.title,lead:t.settings.farewell.lead,children:e("p",{class:"door-links",children:[e("a",{href:"/app/register",children:t.settings.farewell.again}),e("a",{href:"/app/login",children:t.access.login.title})]})})}export{r as default};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/farewell-FNJNGPD7.js
=======
import{E as t,Ia as l,ba as e}from"./chunk-4CG5IAXG.js";function r(){return e(l,{title:t.settings.farewell.title,lead:t.settings.farewell.lead,children:e("p",{class:"door-links",children:[e("a",{href:"/app/register",children:t.settings.farewell.again}),e("a",{href:"/app/login",children:t.access.login.title})]})})}export{r as default};
>>>>>>> f19c9bd (app: Show tags, give them to links, and look after them):app/dist/assets/farewell-XG7ITCQY.js
