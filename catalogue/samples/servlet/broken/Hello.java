import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;

@WebServlet(urlPatterns = "", loadOnStartup = 1)
public class Hello extends HttpServlet {
    @Override
    public void init() throws ServletException {
        throw new ServletException("broken on purpose");
    }
}
