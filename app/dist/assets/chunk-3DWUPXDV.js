<<<<<<< HEAD:app/dist/assets/chunk-VRZGGWEF.js
<<<<<<<< HEAD:app/dist/assets/chunk-FARRXYMD.js
import{D as i,aa as l,n as e}from"./chunk-Z3OGILDL.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
========
import{D as i,aa as l,n as e}from"./chunk-5IBWICG6.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/chunk-VRZGGWEF.js
=======
import{E as i,ba as l,o as e}from"./chunk-4CG5IAXG.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
>>>>>>> f19c9bd (app: Show tags, give them to links, and look after them):app/dist/assets/chunk-3DWUPXDV.js
