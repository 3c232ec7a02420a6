<<<<<<< HEAD:app/dist/assets/farewell-V6NNUGUS.js
<<<<<<<< HEAD:app/dist/assets/farewell-IUHTTYNF.js
import{w as o}from"./chunk-FZAYSIWL.js";import"./chunk-5W3B2W5X.js";import{R as r,ka as t}from"./chunk-ROUUBYRI.js";function i(){return t(o,{title:r.settings.farewell.title,lead:r.settings.farewell.lead,children:t("p",{class:"door-links",children:[t("a",{href:"/app/register",children:r.settings.farewell.again}),t("a",{href:"/app/login",children:r.access.login.title})]})})}export{i as default};
========
import{w as o}from"./chunk-BWORRVZ5.js";import"./chunk-OMCGHKRY.js";import{R as r,ka as t}from"./chunk-SGMJOVC7.js";function i(){return t(o,{title:r.settings.farewell.title,lead:r.settings.farewell.lead,children:t("p",{class:"door-links",children:[t("a",{href:"/app/register",children:r.settings.farewell.again}),t("a",{href:"/app/login",children:r.access.login.title})]})})}export{i as default};
>>>>>>>> rehearse:app/dist/assets/farewell-V6NNUGUS.js
=======
import{w as o}from"./chunk-LOOQRYQL.js";import"./chunk-4BMQ6R2D.js";import{R as r,ka as t}from"./chunk-73U37PAP.js";function i(){return t(o,{title:r.settings.farewell.title,lead:r.settings.farewell.lead,children:t("p",{class:"door-links",children:[t("a",{href:"/app/register",children:r.settings.farewell.again}),t("a",{href:"/app/login",children:r.access.login.title})]})})}export{i as default};
>>>>>>> rehearse:app/dist/assets/farewell-UVJOXMFM.js
