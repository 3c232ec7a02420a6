<<<<<<<< HEAD:app/dist/assets/chunk-FARRXYMD.js
import{D as i,aa as l,n as e}from"./chunk-Z3OGILDL.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
========
import{D as i,aa as l,n as e}from"./chunk-5IBWICG6.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
>>>>>>>> a467db4 (app: Fetch the dialogs of links when the page is there):app/dist/assets/chunk-VRZGGWEF.js
