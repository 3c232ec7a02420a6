<<<<<<<< HEAD:app/dist/assets/chunk-BE725LXR.js
import{E as i,ba as l,o as e}from"./chunk-3IYA7HZD.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
========
import{D as i,aa as l,n as e}from"./chunk-UIX2XY7K.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
>>>>>>>> 169970d (app: Show all that events have):app/dist/assets/chunk-UE2PNB5F.js
